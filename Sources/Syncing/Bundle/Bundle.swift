package import Bytes
package import Platform

/// A file that contains the messages of one side of a sync.
package enum Bundle {
  /// The result of writing a bundle.
  package struct Receipt: Hashable, Sendable {
    /// The number of events in the file, by log.
    package var sent: [UniqueID: UInt64]
    package var byteCount: Int
    /// For each log, the number of events left out because no head proves them to other devices.
    package var withheld: [UniqueID: UInt64] = [:]
  }

  /// The result of reading a bundle.
  package struct Report: Hashable, Sendable {
    /// The writer's hello.
    package var hello: Hello?
    /// The number of events received and stored, by log.
    package var received: [UniqueID: UInt64]
    package var frontier: Frontier
    package var problems: [SyncProblem]

    package init(
      hello: Hello?, received: [UniqueID: UInt64], frontier: Frontier, problems: [SyncProblem]
    ) {
      (self.hello, self.received) = (hello, received)
      (self.frontier, self.problems) = (frontier, problems)
    }
  }

  /// Writes the events that a peer with the given frontier lacks; by default, all events.
  ///
  /// The file does not appear until it is complete and flushed. The new file then replaces any older file of the same
  /// name, but never an entry that is not a file.
  package static func write(
    to path: Path, from holder: any Holder, since other: Frontier = .nothing, on machine: Machine
  ) throws(SyncError) -> Receipt {
    var draft = try onDisk { () throws(DiskError) in
      let kind = try machine.disk.status(path)?.kind ?? .file
      guard kind == .file else {
        throw DiskError(.open, path, kind == .directory ? .isADirectory : .invalid)
      }
      return try Draft(in: path.parent, on: machine)
    }
    var export = Export(holder)
    do throws(SyncError) {
      let hello = holder.hello
      try onDisk { () throws(DiskError) in
        try draft.append(BundleStream.magic + Message.hello(hello).encoded)
      }
      try export.run(for: other) {
        (log, frame, _) throws(SyncError) in
        let message = Message.frame(log: log, frame).encoded
        try onDisk { () throws(DiskError) in try draft.append(message) }
      }
      try onDisk { () throws(DiskError) in
        try draft.append(Message.end(.nothing).encoded)
        let digest = draft.digest()
        try draft.append(digest.bytes)
      }
    } catch {
      draft.discard()
      throw error
    }
    let byteCount = draft.byteCount
    do throws(DiskError) { try draft.finish(as: path.name) } catch { throw .disk(error) }
    return Receipt(sent: export.sent, byteCount: byteCount)
  }

  /// Stores the events of a bundle.
  ///
  /// If a bundle is incomplete or damaged, its complete messages are used, and the offset of the damage is reported. If
  /// a frame is refused, only the rest of its log is skipped.
  package static func read(
    _ path: Path, into holder: any Holder, on machine: Machine
  ) throws(SyncError) -> Report {
    do throws(SyncError) {
      return try read(path, by: BundleReading(holder), on: machine)
    } catch {
      _ = try error.blamed()
      return try read(path, by: BundleReading(holder, frameByFrame: true), on: machine)
    }
  }

  private static func read(
    _ path: Path, by reading: consuming BundleReading, on machine: Machine
  ) throws(SyncError) -> Report {
    var problems: [SyncProblem] = []
    do throws(SyncError) {
      _ = try BundleStream.forEachMessage(of: path, on: machine, &problems) {
        (message, offset) throws(SyncError) in
        try reading.take(message, at: offset)
      }
    } catch {
      switch error {
      case .journal: throw error
      case .version, .wrongBook, .joinedInto:
        // These errors come from the beginning of the file, which may itself be damaged.
        if try !BundleStream.isWhole(path, on: machine) { throw .damagedBundle(path) }
      default: break
      }
      try reading.salvage()
      throw error
    }
    return try reading.finish(problems)
  }

  /// The writer's hello, or nil if the bundle ends before the hello is complete.
  package static func hello(
    of path: Path, on machine: Machine
  ) throws(SyncError) -> Hello? {
    let file = try onDisk { () throws(DiskError) in
      try OpenFile(path, .read, on: machine.disk)
    }
    // The hello is one message, so this many bytes are enough.
    let bytes = try onDisk { () throws(DiskError) in
      try file.read(at: 0, count: BundleStream.magic.count + 4 + Limit.messageBytes)
    }
    guard bytes.starts(with: BundleStream.magic) else { throw .notABundle(path) }
    var reader = MessageReader(at: BundleStream.magic.count)
    reader.append(Array(bytes.dropFirst(BundleStream.magic.count)))
    guard case .hello(let hello)? = try reader.next() else { return nil }
    return hello
  }
}
