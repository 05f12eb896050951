import Domain
import Journaling
public import Platform

extension Book {
  /// Opens the book in a folder, and makes one where there is none yet.
  ///
  /// - Parameters:
  ///   - folder: Where its files are.
  ///   - machine: The computer; `Machine.system` of `PosixPlatform` is the one this runs on.
  ///   - device: What this machine is called in a book that is made.
  /// - Returns: The book, to be used by one caller at a time.
  /// - Throws: ``Failure`` where the folder holds something else, or cannot be read.
  public static func open(
    _ folder: String, on machine: Machine, device: String
  ) throws(Failure) -> Book {
    try failing { () throws(DaybookError) in
      do throws(DaybookError) {
        return try Book(at: Path(folder), on: machine)
      } catch .noBook {
        return try BookFactory.create(at: Path(folder), on: machine, deviceName: device)
      }
    }
  }

  /// Takes part in the book that a peer holds, with a folder that holds none yet.
  ///
  /// What is written here counts on other machines once one of them admits this one, as `daybook sync --admit` does.
  ///
  /// - Parameters:
  ///   - peer: A folder or bundle with the book.
  ///   - folder: Where its files are to be here.
  ///   - machine: The computer.
  ///   - device: What this machine is to be called.
  /// - Returns: The book, with all that the peer had.
  /// - Throws: ``Failure`` where there is a book here already, or none there.
  public static func join(
    _ peer: Peer, in folder: String, on machine: Machine, device: String
  ) throws(Failure) -> Book {
    try failing { () throws(DaybookError) in
      try BookFactory.join(
        at: Path(folder), from: peer.address, on: machine, deviceName: device,
        confirm: { _ in false }
      ).book
    }
  }
}

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
      let receipt = try replicator.sync(with: peer.address, admission: admitsAll ? .always : .never)
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
    try Self.failing { () throws(DaybookError) in
      _ = try replicator.writeBundle(to: Path(file), since: nil)
    }
  }
}

extension Book {
  /// Why something could not be done; where it was to be written, nothing was.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What a program can act by.
    public enum Reason: Hashable, Sendable {
      /// There is no book in the folder.
      case noBook
      /// No record has the id, or it is deleted.
      case unknownRecord
      /// The book does not take it, such as a to-do without a title.
      case refused
      /// Another process has been writing for seconds.
      case busy
      /// The other machine, folder or file could not be synced with.
      case peer
      /// The disk has failed, or what it holds is damaged: `daybook verify` says more.
      case storage
    }

    /// What a program can act by.
    public let reason: Reason
    /// All that is known of it, for whoever looks into faults.
    public let description: String

    init(_ error: DaybookError) {
      reason = error.reason
      description = "\(error)"
    }
  }

  /// Does something for a user of the library, who is told of an error in fewer cases.
  static func failing<Value>(
    _ body: () throws(DaybookError) -> Value
  ) throws(Failure) -> Value {
    do throws(DaybookError) { return try body() } catch { throw Failure(error) }
  }
}

extension DaybookError {
  fileprivate var reason: Book.Failure.Reason {
    switch self {
    case .noBook: .noBook
    case .unknown, .erased, .ambiguous, .gone, .hidden: .unknownRecord
    case .busy: .busy
    case .sync, .network, .unknownPeer, .severalBooks, .beginningNotThere, .declined: .peer
    case .disk, .journal, .view, .keys, .noKey, .otherKey, .notABook: .storage
    default: .refused
    }
  }
}
