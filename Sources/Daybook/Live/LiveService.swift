package import Crypto
import Platform
import Syncing

/// Keeps a book in touch with its peers.
package struct LiveService {
  private let book: Book

  package init(of book: Book) { self.book = book }

  /// Lets peers that dial sync with this book, all at once, until it is told to stop.
  ///
  /// It says on which port it is ready, and what sessions come to. A peer that stays hears of all that is new, from
  /// whichever side or process. Whoever shows the key of a device of the book is let in; others where all are to be
  /// admitted, or as `letsIn` says, or if they prove that they were invited and the doorkeeper, where there is one, lets
  /// them in. No revoked key is.
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

  /// Keeps in touch with peers that are remembered: calls each, stays, and calls it again when it is lost.
  ///
  /// Only machines can be called; the others are passed over.
  package func follow(
    _ contacts: [Contact], admission: Admission = .never, tell: @escaping (LiveNews) -> Void,
    until isOver: () -> Bool
  ) throws(DaybookError) {
    let live = try LiveSync(book, admission: admission, letsIn: { _ in false }, tell: tell)
    for contact in contacts {
      guard case .tcp(let host, let port)? = contact.address else { continue }
      live.follow(contact, at: Endpoint(host: host, port: port))
    }
    try live.run(until: isOver)
  }
}
