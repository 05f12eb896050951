package import Bytes
import Crypto
import Journaling
import Platform

// The witness is a file outside the book that states the end of this device's own log.

extension LocalDevice {
  /// The length to which the text of the witness is padded, in bytes.
  ///
  /// The length exceeds that of the longest text.
  private static let witnessBytes = 127

  private func witnessFile(of log: UniqueID) -> Path? { witness.map { $0 / log.hex } }

  /// Writes the end of this device's own log outside the book.
  ///
  /// The witness is only a hint, so errors are ignored.
  func bearWitness(of log: UniqueID) {
    guard let folder = witness, let path = witnessFile(of: log),
      let end = store.journal.end(of: log, on: .logs)
    else {
      return
    }
    let line = JSON.object(
      ("sequence", .integer(Int64(clamping: end.sequence))), ("hash", .string(end.hash.hex)),
      ("check", .string(Self.witnessCheck(end.sequence, end.hash))))
    // The length is always the same, so that a power failure leaves either the old or the new content.
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
      // Without a witness, a rollback is detected when a peer sends the lost events back.
    }
  }

  /// The end of a log according to its witness.
  ///
  /// - Returns: The end; nil if no witness exists, or if it cannot be parsed.
  func witnessed(of log: UniqueID) -> (sequence: UInt64, hash: Digest)? {
    guard let path = witnessFile(of: log),
      let bytes = try? store.machine.disk.contents(of: path, limit: 4096)
    else { return nil }
    return Self.witnessed(by: bytes)
  }

  /// Parses the bytes of a witness; nil if they are damaged or are not a witness.
  package static func witnessed(by bytes: [UInt8]) -> (sequence: UInt64, hash: Digest)? {
    guard let json = try? JSON(parsing: bytes),
      let sequence = json["sequence"]?.integer.flatMap({ UInt64(exactly: $0) }),
      let hash = json["hash"]?.string.flatMap({ Digest(hex: $0) }),
      json["check"]?.string == witnessCheck(sequence, hash)
    else { return nil }
    return (sequence, hash)
  }

  /// The checksum of a witness.
  ///
  /// A power failure could leave a mix of two witnesses, which would name an event that never existed.
  private static func witnessCheck(_ sequence: UInt64, _ hash: Digest) -> String {
    let said = Array("daybook witness v1\(sequence) ".utf8) + hash.bytes
    return String(SHA256.digest(of: said).hex.prefix(8))
  }
}
