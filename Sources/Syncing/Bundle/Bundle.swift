package import Bytes
package import Platform

/// A file that contains the messages of one side of a sync.
package enum Bundle {
  static let magic = Array("daybook bundle 1\n".utf8)
  static let digestCount = 32

  /// The result of writing a bundle.
  package struct Receipt: Hashable, Sendable {
    /// The number of events of each log in the file.
    package var sent: [UniqueID: UInt64]
    package var byteCount: Int
    /// For each log, the number of events left out because no head proves them to other devices.
    package var withheld: [UniqueID: UInt64] = [:]
  }

  /// Writes the events that a peer with the given frontier lacks; by default, all events.
  ///
  /// The file appears only when it is complete and flushed, and replaces an older file of that name. An entry that is
  /// not a file is not replaced.
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
        try draft.append(magic + Message.hello(hello).encoded)
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
}
