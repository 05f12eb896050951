package import Bytes
package import Crypto
package import Platform

/// The files of one log outside a journal, for example in a backup of a book.
package struct LogCopy: Sendable {
  package let replica: UniqueID
  private let folder: LogFolder

  /// Uses the segment files in a folder, which are named as in a journal.
  package init(of replica: UniqueID, in folder: Path, on disk: any Disk) {
    self.replica = replica
    self.folder = LogFolder(path: folder, replica: replica, disk: disk)
  }

  /// Reads the frames of one file, whatever its name; nil if it contains no frame or its replica cannot be determined.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - replica: The replica of the log; nil to read it from the file.
  ///   - disk: A temporary disk that the file is copied to.
  /// - Throws: ``JournalError`` if the disk cannot store the file.
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
      // Most occurrences of these two bytes do not begin a frame.
      if let frame = try? Frame.decode(bytes.span, at: start, &chain) { return frame }
    }
    return nil
  }

  /// Returns the frames of the log as they are sent in a sync, and skips damage.
  ///
  /// - Parameter keys: The keys of the log, if this device writes the log and may sign events that no head proves.
  /// - Returns: The frames, each of which ends in a head.
  package func export(keys: (any SigningSource)?) -> LogExport {
    LogExport(LogReader(folder, from: 1), after: 0, signer: keys.map { (replica, $0) })
  }
}
