package import Bytes

/// The replacement of a body that an `erase` removed.
package struct StrippedBody: Hashable, Sendable {
  /// The salted digest of the removed body.
  package var digest: Digest
  /// The `erase` event that removed the body.
  package var erase: Landmark

  package init(digest: Digest, erase: Landmark) {
    self.digest = digest
    self.erase = erase
  }

  package func encode() -> [UInt8] {
    var writer = CBORWriter()
    writer.mapHeader(2)
    writer.unsigned(0)
    writer.digest(digest)
    writer.unsigned(1)
    writer.arrayHeader(3)
    writer.uniqueID(erase.log)
    writer.unsigned(erase.sequence)
    writer.uniqueID(erase.hash)
    return writer.bytes
  }

  /// Reads a stripped body; unknown keys of a newer version are skipped.
  ///
  /// The encoded event is kept unchanged, so these keys are not lost.
  package static func decode(_ reader: inout CBORReader) throws(CBORError) -> StrippedBody {
    let start = reader.offset
    var ahead = reader
    guard try ahead.skip().count <= Limit.strippedBytes else { throw .tooMany(at: start) }
    guard try reader.mapHeader() >= 2, try reader.unsigned() == 0 else {
      throw .wrongLength(expected: 2, at: start)
    }
    let digest = try reader.digest()
    guard try reader.unsigned() == 1, try reader.arrayHeader() == 3 else {
      throw .wrongLength(expected: 3, at: start)
    }
    let log = try reader.uniqueID()
    let sequence = try reader.unsigned()
    let erase = Landmark(log: log, sequence: sequence, hash: try reader.uniqueID())
    reader = ahead
    return StrippedBody(digest: digest, erase: erase)
  }
}
