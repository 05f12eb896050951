import Platform

extension Book {
  /// With whom or what a book is synced.
  public enum Peer: Hashable, Sendable {
    /// A folder, such as one on a stick, or one that a cloud shares.
    case folder(String)
    /// A file with a whole book, as ``writeBundle(to:)`` writes it.
    case bundle(String)
    /// A machine that serves the book.
    case machine(host: String, port: UInt16)

    var address: PeerAddress {
      switch self {
      case .folder(let path): .directory(Path(path))
      case .bundle(let path): .file(Path(path))
      case .machine(let host, let port): .tcp(host: host, port: port)
      }
    }
  }

  /// What a sync came to.
  public struct Exchange: Equatable, Sendable {
    /// How many events went to the peer.
    public let sentCount: Int
    /// How many events came.
    public let receivedCount: Int
    /// How many conflicts are to be settled because of what came: `daybook conflicts` shows them.
    public let conflictCount: Int
    /// How many records other devices have erased that stay here until that is accepted: `daybook erase --held` lists
    /// them, and tells how to accept or refuse it.
    public let heldErasureCount: Int
    /// The devices that wait to be admitted before what they write counts.
    public let waiting: [String]
  }

  /// Brings this book and a peer's to the same events; nothing that either has is lost.
  ///
  /// - Parameters:
  ///   - peer: With whom or what.
  ///   - admitsAll: Whether devices that nobody has admitted yet are admitted without being asked about.
  /// - Returns: What went and came.
  /// - Throws: ``Failure`` where the peer cannot be reached, or has another book.
  @discardableResult
  public func sync(with peer: Peer, admitsAll: Bool = false) throws(Failure) -> Exchange {
    try Self.failing { () throws(DaybookError) in
      let receipt = try sync(with: peer.address, admission: admitsAll ? .always : .never)
      return Exchange(
        sentCount: receipt.sent.reduce(0) { $0 + Int(clamping: $1.events) },
        receivedCount: receipt.received.reduce(0) { $0 + Int(clamping: $1.events) },
        conflictCount: receipt.conflicts.count,
        heldErasureCount: receipt.held.reduce(0) { $0 + $1.records },
        waiting: receipt.waiting.map(\.name))
    }
  }

  /// Writes the whole book to one file, which any machine can join from or sync with: a backup.
  public func writeBundle(to file: String) throws(Failure) {
    try Self.failing { () throws(DaybookError) in _ = try writeBundle(to: Path(file), since: nil) }
  }
}
