import Crypto
import Syncing

/// Decides by its key whether a peer may take part while a book is served.
struct PeerGate {
  private let book: Book
  private let letsIn: @Sendable (PublicKey) -> Bool
  private let isForAll: Bool
  /// The peers that the book accepts, as they were last looked up.
  private var known: AllowedPeers?

  init(
    of book: Book, admission: Admission, letsIn: @escaping @Sendable (PublicKey) -> Bool
  ) {
    (self.book, self.letsIn, isForAll) = (book, letsIn, admission.isForAll)
  }

  /// Forgets the peers that the book accepts, because that may have changed.
  mutating func forget() { known = nil }

  /// The peers that the book accepts, looked up when something has changed or may have.
  mutating func allowedPeers(isStale: Bool) throws(DaybookError) -> AllowedPeers {
    if let known, !isStale { return known }
    // Another process may have joined another book since.
    try book.core.store.folder.reloadFile()
    let allowedPeers = try book.peerAllowList.allowedPeers()
    known = allowedPeers
    return allowedPeers
  }

  /// Whether a key is accepted that the book does not know.
  var letsInStrangers: @Sendable (PublicKey) -> Bool {
    let (letsIn, isForAll) = (letsIn, isForAll)
    return { isForAll || letsIn($0) }
  }
}
