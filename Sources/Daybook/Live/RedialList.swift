import Platform
import Syncing

/// Peers that are called, and called again when they cannot be reached or the connection is lost.
///
/// Only one login is in progress at a time, because `ssh` may ask for a password at the terminal, and the prompts of
/// two logins would get mixed up.
struct RedialList {
  /// A peer to keep in touch with.
  private struct Destination {
    var contact: Contact
    var address: MachineAddress
    var backoff = Backoff()
    /// The time of the next call to the peer; nil while the peer is being called or is connected.
    var due: Int64?
    /// The key that the peer must show, looked up when the peer is called.
    var pin: ContactPin?
    /// The error of the last call, remembered so that the same error is not reported again.
    var lastError: DaybookError?
  }

  private let machine: Machine
  private var destinations: [Destination] = []
  /// The number of the peer that `ssh` is logging in to.
  private var loggingIn: Int?

  init(on machine: Machine) { self.machine = machine }

  private var now: Int64 { machine.timekeeper.monotonicMilliseconds() }

  mutating func add(_ contact: Contact, at address: MachineAddress) {
    destinations.append(Destination(contact: contact, address: address, due: now))
  }

  /// The time to call the next peer; nil if all are being called, are connected, or wait for a login.
  var nextCall: Int64? { next?.due }

  /// The number of the next peer to call, which is the peer that is due first, so that a failing login does not keep
  /// other peers waiting repeatedly.
  private var next: (number: Int, due: Int64)? {
    let callable = destinations.enumerated().compactMap { number, destination in
      destination.due.map { (number: number, due: $0) }
    }
    return callable.filter { loggingIn == nil || !destinations[$0.number].address.isAccount }
      .min { $0.due < $1.due }
  }

  /// Returns the peers to call now, by number.
  ///
  /// These peers are not due again until ``noteLost(_:_:peer:)`` is called.
  mutating func takeDue() -> [(number: Int, address: MachineAddress)] {
    let now = now
    var taken: [(number: Int, address: MachineAddress)] = []
    while let (number, due) = next, due <= now {
      let address = destinations[number].address
      destinations[number].due = nil
      if address.isAccount { loggingIn = number }
      taken.append((number, address))
    }
    return taken
  }

  /// Lets the next login begin, if the given peer was the one being logged in to.
  mutating func noteAnswered(_ number: Int) { if loggingIn == number { loggingIn = nil } }

  func contact(_ number: Int) -> Contact { destinations[number].contact }

  mutating func notePin(_ pin: ContactPin?, of number: Int) { destinations[number].pin = pin }

  mutating func noteReached(_ number: Int) {
    destinations[number].backoff.reset()
    destinations[number].lastError = nil
  }

  /// Schedules the next call to a peer that was lost.
  ///
  /// - Parameters:
  ///   - number: The number of the peer.
  ///   - error: The error that ended the session or the call; nil if the peer has left.
  ///   - peer: The peer as its session identified it, if there was a session.
  /// - Returns: The news to report; nil if the error is the same as last time.
  mutating func noteLost(_ number: Int, _ error: DaybookError?, peer: LivePeer?) -> LiveNews? {
    noteAnswered(number)
    let wait = destinations[number].backoff.next(machine.dice)
    destinations[number].due = now + wait
    let destination = destinations[number]
    let peer =
      peer ?? LivePeer(name: destination.contact.name, address: destination.address.text)
    guard let cause = error else { return .left(peer) }
    let error = destination.pin?.explaining(cause) ?? cause
    let told = destination.lastError.map { "\($0)" }
    guard told != "\(error)" else { return nil }
    destinations[number].lastError = error
    return .lost(peer, error, retry: wait)
  }
}

extension MachineAddress {
  /// Whether a user may have to log in before the machine answers.
  fileprivate var isAccount: Bool { if case .ssh = self { true } else { false } }
}
