package import Bytes
import Crypto
import Journaling
import Platform

// The witness: a file outside of the book that remembers how far the own log went.

extension LocalDevice {
  /// More than the largest sequence takes.
  private static let witnessBytes = 127

  private func witnessFile(of log: UniqueID) -> Path? { witness.map { $0 / log.hex } }

  /// Remembers the end of the own log outside of the book; only a hint, so it may fail.
  func bearWitness(of log: UniqueID) {
    guard let folder = witness, let path = witnessFile(of: log),
      let end = store.journal.end(of: log, on: .logs)
    else {
      return
    }
    let line = JSON.object(
      ("sequence", .integer(Int64(clamping: end.sequence))), ("hash", .string(end.hash.hex)),
      ("check", .string(Self.witnessCheck(end.sequence, end.hash))))
    // Always of one length, so that a power cut leaves the old words or the new ones.
    let text = Array(line.text().utf8)
    let bytes =
      text + Array(repeating: 0x20, count: max(0, Self.witnessBytes - text.count)) + [0x0a]
    do throws(DiskError) {
      if try store.machine.disk.status(path) == nil {
        try store.machine.disk.makeDirectories(folder)
        try OpenFile(path, .create, on: store.machine.disk).write(bytes, at: 0)
      } else {
        let file = try OpenFile(path, .write, on: store.machine.disk)
        try file.write(bytes, at: 0)
        try file.truncate(to: bytes.count)
      }
    } catch {
      // Without it a rollback is seen when a peer gives the lost events back.
    }
  }

  /// What the witness remembers of a log.
  ///
  /// - Returns: nil where there is no witness, or none that can be understood.
  func witnessed(of log: UniqueID) -> (sequence: UInt64, hash: Digest)? {
    guard let path = witnessFile(of: log),
      let bytes = try? store.machine.disk.contents(of: path, limit: 4096)
    else { return nil }
    return Self.witnessed(by: bytes)
  }

  /// What the bytes of a witness say; nil where they are torn, or none.
  package static func witnessed(by bytes: [UInt8]) -> (sequence: UInt64, hash: Digest)? {
    guard let json = try? JSON(parsing: bytes),
      let sequence = json["sequence"]?.integer.flatMap({ UInt64(exactly: $0) }),
      let hash = json["hash"]?.string.flatMap({ Digest(hex: $0) }),
      json["check"]?.string == witnessCheck(sequence, hash)
    else { return nil }
    return (sequence, hash)
  }

  /// Stands for what a witness says: a power cut may leave the words of two of them mixed, which would tell of an event
  /// that never was.
  private static func witnessCheck(_ sequence: UInt64, _ hash: Digest) -> String {
    let said = Array("daybook witness v1\(sequence) ".utf8) + hash.bytes
    return String(SHA256.digest(of: said).hex.prefix(8))
  }
}
