import Platform
import Syncing

/// Peers that are called, and called again when they cannot be reached or the connection is lost.
struct RedialList {
  /// A peer to keep in touch with.
  private struct Destination {
    var contact: Contact
    var address: MachineAddress
    var backoff = Backoff()
    /// The time of its next call; nil while it is being called or is connected.
    var due: Int64?
    /// The key that it must show, looked up when it is called.
    var pin: ContactPin?
    /// The error of the last call, so that the same error is not reported again.
    var lastError: DaybookError?
  }

  private let machine: Machine
  private var destinations: [Destination] = []

  init(on machine: Machine) { self.machine = machine }

  private var now: Int64 { machine.timekeeper.monotonicMilliseconds() }

  mutating func add(_ contact: Contact, at address: MachineAddress) {
    destinations.append(Destination(contact: contact, address: address, due: now))
  }

  /// The time to call the next peer.
  var nextCall: Int64? { destinations.compactMap(\.due).min() }

  /// Returns the peers to call now, by number.
  ///
  /// They are not due again until ``noteLost(_:_:peer:)`` is called.
  mutating func takeDue() -> [(number: Int, address: MachineAddress)] {
    let now = now
    var taken: [(number: Int, address: MachineAddress)] = []
    for number in destinations.indices {
      guard let due = destinations[number].due, due <= now else { continue }
      destinations[number].due = nil
      taken.append((number, destinations[number].address))
    }
    return taken
  }

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
  ///   - peer: The peer as its session knew it, if there was one.
  /// - Returns: The news to report; nil if the error is the same as last time.
  mutating func noteLost(_ number: Int, _ error: DaybookError?, peer: LivePeer?) -> LiveNews? {
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
