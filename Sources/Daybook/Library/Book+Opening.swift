import Domain
import Journaling
public import Platform

extension Book {
  /// Opens the book in a folder, or creates one if there is none.
  ///
  /// No book is created where a join has failed or was interrupted. Repeat the join with ``join(_:in:on:device:)`` or
  /// ``join(by:in:on:device:comparing:)``.
  ///
  /// - Parameters:
  ///   - folder: The folder of the book.
  ///   - machine: The computer; `Machine.system` in `PosixPlatform` is the computer on which the program runs.
  ///   - device: The name of this device in a new book.
  /// - Returns: The book, to be used by one caller at a time.
  /// - Throws: ``Failure`` if the folder contains other files, cannot be read, or contains an unfinished join.
  public static func open(
    _ folder: String, on machine: Machine, device: String
  ) throws(Failure) -> Book {
    try failing { () throws(DaybookError) in
      try BookFactory.openOrCreate(at: Path(folder), on: machine, deviceName: device)
    }
  }

  /// Joins the book of a peer, in a folder without a book.
  ///
  /// Events that this device writes take effect on other devices once one of them admits this device, for example
  /// with `daybook sync --admit`.
  ///
  /// - Parameters:
  ///   - peer: A folder or bundle with the book.
  ///   - folder: The folder for the book on this machine.
  ///   - machine: The computer.
  ///   - device: The name of this device.
  /// - Returns: The book, with everything that the peer has.
  /// - Throws: ``Failure`` if the folder contains a book, or the peer has none.
  public static func join(
    _ peer: Peer, in folder: String, on machine: Machine, device: String
  ) throws(Failure) -> Book {
    try failing { () throws(DaybookError) in
      do throws(DaybookError) {
        return try BookFactory.join(
          at: Path(folder), from: peer.address, on: machine, deviceName: device,
          confirm: { _ in false }
        ).book
      } catch .declined {
        throw .bookExists(Path(folder))
      }
    }
  }
}

extension Book {
  /// A device, folder or file to sync with.
  public enum Peer: Hashable, Sendable {
    /// A folder, for example on a USB stick or in a synced cloud folder.
    case folder(String)
    /// A file with a whole book, as ``writeBundle(to:)`` writes it.
    case bundle(String)
    /// A machine that serves the book.
    case machine(host: String, port: UInt16)
  }

  /// The result of a sync.
  public struct Exchange: Equatable, Sendable {
    /// The number of events that were sent.
    public let sentCount: Int
    /// The number of events that were received.
    public let receivedCount: Int
    /// The number of conflicts that the received events have caused; ``BookReading/conflicts()`` returns the conflicts.
    public let conflictCount: Int
    /// The number of records that other devices have erased and that are kept here until the user decides; the command
    /// `daybook erase --held` lists them, and explains how to accept or refuse the erasures.
    public let heldErasureCount: Int
    /// The names of devices awaiting admission; their events take effect once they are admitted.
    public let waiting: [String]
  }

  /// Syncs with a peer, so that both have the same events afterwards.
  ///
  /// A sync never loses events.
  ///
  /// - Parameters:
  ///   - peer: The peer.
  ///   - admitsAll: Whether unknown devices are admitted without asking. Devices that a revoked device has let in, or
  ///     that claim to be a revoked device under a new key, are not admitted.
  /// - Returns: The result of the sync.
  /// - Throws: ``Failure`` if the peer cannot be reached, or holds a different book.
  @discardableResult
  public func sync(with peer: Peer, admitsAll: Bool = false) throws(Failure) -> Exchange {
    try failingAfterWriting { () throws(DaybookError) in
      Exchange(
        try replicator.sync(with: peer.address, admission: admitsAll ? .newcomers : .never))
    }
  }

  /// Writes the whole book to a file, as a backup.
  ///
  /// Any machine can join the book from this file, or sync with the file.
  public func writeBundle(to file: String) throws(Failure) {
    try failingAfterWriting { () throws(DaybookError) in
      _ = try replicator.writeBundle(to: Path(file), since: nil)
    }
  }
}

extension Book.Peer {
  var address: PeerAddress {
    switch self {
    case .folder(let path): .directory(Path(path))
    case .bundle(let path): .file(Path(path))
    case .machine(let host, let port): .tcp(host: host, port: port)
    }
  }
}

extension Book.Exchange {
  init(_ receipt: Receipt) {
    self.init(
      sentCount: receipt.sent.reduce(0) { $0 + Int(clamping: $1.events) },
      receivedCount: receipt.received.reduce(0) { $0 + Int(clamping: $1.events) },
      conflictCount: receipt.conflicts.count,
      heldErasureCount: receipt.held.reduce(0) { $0 + $1.records },
      waiting: receipt.waiting.map(\.name))
  }
}
