package import Bytes
package import Crypto
package import Platform

/// Files of one log that lie outside of a journal: in a backup of a book, or as a copy that a program left.
package struct LogCopy: Sendable {
  package let replica: UniqueID
  private let folder: LogFolder

  /// Takes the segment files in a folder, as those of a journal are named.
  package init(of replica: UniqueID, in folder: Path, on disk: any Disk) {
    self.replica = replica
    self.folder = LogFolder(path: folder, replica: replica, disk: disk)
  }

  /// Takes the frames of one file, whatever it is called; nil, where no frame is in it or it does not say whose it is.
  ///
  /// - Parameters:
  ///   - bytes: What the file holds.
  ///   - replica: Whose log it is; nil where only the file can tell.
  ///   - disk: A disk on which nothing lasts.
  /// - Throws: ``JournalError``, when that disk has no room.
  package init?(
    of bytes: [UInt8], by replica: UniqueID?, trialOn disk: any Disk
  ) throws(JournalError) {
    guard let first = Self.firstFrame(in: bytes),
      let replica = replica ?? first.opening.map(Self.replica)
    else { return nil }
    let folder = Path("/copy") / replica.hex
    do throws(DiskError) {
      try disk.makeDirectories(folder)
      let name = SegmentName.tail(first.firstSequence).string
      try disk.replace(folder / name, with: bytes)
    } catch {
      throw .disk(error)
    }
    self.init(of: replica, in: folder, on: disk)
  }

  private static func replica(of opening: Opening) -> UniqueID {
    .replica(publicKey: opening.publicKey, incarnation: opening.incarnation)
  }

  private static func firstFrame(in bytes: [UInt8]) -> Frame? {
    var chain = Chain()
    for start in bytes.indices where bytes[start...].starts(with: [0x1f, 0x8b]) {
      // Most places that look so begin no frame.
      if let frame = try? Frame.decode(bytes.span, at: start, &chain) { return frame }
    }
    return nil
  }

  /// Gives its frames as a sync does, past what is damaged.
  ///
  /// - Parameter keys: Those of the log, where this device writes it and may vouch for what no head proves.
  /// - Returns: The frames, each of which ends in a head.
  package func export(keys: (any SigningSource)?) -> LogExport {
    LogExport(LogReader(folder, from: 1), after: 0, signer: keys.map { (replica, $0) })
  }
}
