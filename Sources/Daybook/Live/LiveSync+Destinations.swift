import Platform
import Syncing

// Peers that are called, and called again when the connection is lost.

extension LiveSync {
  /// A peer to keep in touch with.
  struct Destination {
    var contact: Contact
    var endpoint: Endpoint
    var backoff = Backoff()
    /// When it is called next; nil while it is being called or is connected.
    var due: Int64?
    /// The key that it must show, looked up when it is called.
    var pin: ContactPin?
    /// Why it was last missed, so that the same error is not reported again.
    var lastError: DaybookError?
  }

  func follow(_ contact: Contact, at endpoint: Endpoint) {
    destinations.append(Destination(contact: contact, endpoint: endpoint, due: now))
  }

  /// When the next one is to be called.
  var nextCall: Int64? { destinations.compactMap(\.due).min() }

  func callThoseDue() {
    let now = now
    for place in destinations.indices {
      guard let due = destinations[place].due, due <= now else { continue }
      destinations[place].due = nil
      board.dial(destinations[place].endpoint, as: place)
    }
  }

  func noteReached(_ destination: Int) {
    destinations[destination].backoff.reset()
    destinations[destination].lastError = nil
  }

  func missed(_ destination: Int, because error: SyncError) {
    lost(destination, error.asDaybookError, after: nil)
  }

  /// Schedules the next call of a peer, and reports the error unless it is the same as last time.
  ///
  /// Without an error, it reports that the peer has left.
  func lost(_ destination: Int, _ error: DaybookError?, after session: Session?) {
    let wait = destinations[destination].backoff.next(book.machine.dice)
    destinations[destination].due = now + wait
    let endpoint = destinations[destination].endpoint
    let peer =
      session?.peer
      ?? LivePeer(name: destinations[destination].contact.name, address: endpoint.text)
    guard let cause = error else { return tell(.left(peer)) }
    let error = destinations[destination].pin?.explaining(cause) ?? cause
    let told = destinations[destination].lastError.map { "\($0)" }
    guard told != "\(error)" else { return }
    destinations[destination].lastError = error
    tell(.lost(peer, error, retry: wait))
  }
}
