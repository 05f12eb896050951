import Crypto
import Syncing

/// Decides, by the key of a peer, whether the peer may take part while a book is served.
struct PeerGate {
  private let book: Book
  private let letsIn: @Sendable (PublicKey) -> Bool
  private let isForAll: Bool
  /// The peers that the book accepts, as last looked up.
  private var known: AllowedPeers?

  init(
    of book: Book, admission: Admission, letsIn: @escaping @Sendable (PublicKey) -> Bool
  ) {
    (self.book, self.letsIn, isForAll) = (book, letsIn, admission.isForAll)
  }

  /// Discards the looked-up peers, because they may have changed.
  mutating func forget() { known = nil }

  /// The peers that the book accepts; looked up again if `isStale` is true or ``forget()`` was called.
  mutating func allowedPeers(isStale: Bool) throws(DaybookError) -> AllowedPeers {
    if let known, !isStale { return known }
    // Another process may have joined the book to another book in the meantime.
    try book.core.store.folder.reloadFile()
    let allowedPeers = try book.peerAllowList.allowedPeers()
    known = allowedPeers
    return allowedPeers
  }

  /// Returns whether to accept a key that is unknown in the book.
  var letsInStrangers: @Sendable (PublicKey) -> Bool {
    let (letsIn, isForAll) = (letsIn, isForAll)
    return { isForAll || letsIn($0) }
  }
}
