package import Crypto
package import Platform
import Syncing

/// Keeps a book in touch with its peers.
package struct LiveService {
  private let book: Book

  package init(of book: Book) { self.book = book }

  /// Serves the book, so that peers can connect and sync at the same time, until the caller stops it.
  ///
  /// The function reports the port when it is ready, and the results of sessions. A peer that stays connected receives
  /// all new events, whichever peer or process they come from. Devices of the book are accepted. Other devices are
  /// accepted if `admission` admits all, if `letsIn` accepts them, or if they prove that they have an invitation and
  /// the doorkeeper, if there is one, accepts them. A revoked key is never accepted.
  package func serve(
    host: String, port: UInt16, admission: Admission = .never,
    letsIn: @escaping @Sendable (PublicKey) -> Bool = { _ in false },
    doorkeeper: Doorkeeper? = nil, ready: (UInt16) -> Void,
    tell: @escaping (LiveNews) -> Void, until isOver: () -> Bool
  ) throws(DaybookError) {
    let listener = try wrap(DaybookError.network) { () throws(NetworkError) in
      try book.machine.network.listen(host: host, port: port)
    }
    defer { listener.close() }
    let live = try LiveSync(
      book, admission: admission, letsIn: letsIn, doorkeeper: doorkeeper, tell: tell)
    try live.listen(listener)
    let announcement = try book.service.announce(Endpoint(host: host, port: listener.port))
    defer { book.service.withdraw(announcement) }
    ready(listener.port)
    try live.run(until: isOver)
  }

  /// Serves one caller that is already connected, until its session has ended or the caller stops it.
  ///
  /// The same callers are accepted as by ``serve(host:port:admission:letsIn:doorkeeper:ready:tell:until:)``. No user is
  /// asked about invited devices.
  package func answer(
    _ line: any Line, admission: Admission = .never, tell: @escaping (LiveNews) -> Void,
    until isOver: () -> Bool
  ) throws(DaybookError) {
    let live = try LiveSync(book, admission: admission, letsIn: { _ in false }, tell: tell)
    try live.serve(line)
    try live.run { isOver() || !live.hasCalls }
  }

  /// Keeps in touch with remembered peers: calls each, stays connected, and calls again when the connection is lost.
  ///
  /// Only machines can be called. Other peers are skipped. Logins over `ssh` are made one at a time.
  package func follow(
    _ contacts: [Contact], admission: Admission = .never, tell: @escaping (LiveNews) -> Void,
    until isOver: () -> Bool
  ) throws(DaybookError) {
    let live = try LiveSync(book, admission: admission, letsIn: { _ in false }, tell: tell)
    for contact in contacts {
      guard let address = contact.address?.machine else { continue }
      live.follow(contact, at: address)
    }
    try live.run(until: isOver)
  }
}
