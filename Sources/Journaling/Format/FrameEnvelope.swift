import Bytes
import Gzip

/// The properties of a frame that its gzip header states, so they can be read without inflating the frame.
struct FrameEnvelope: Hashable, Sendable {
  /// The length of the gzip header in bytes; these bytes are enough to find the next frame.
  static let byteCount = 43
  static let extraCount = 29

  /// The length of the whole frame, in bytes.
  var length: Int
  var firstSequence: UInt64
  var count: Int
  /// The replica whose log the frame belongs to.
  var replica: ReplicaPrefix

  var lastSequence: UInt64 { firstSequence + UInt64(count) - 1 }

  init(length: Int, firstSequence: UInt64, count: Int, replica: ReplicaPrefix) {
    self.length = length
    self.firstSequence = firstSequence
    self.count = count
    self.replica = replica
  }

  /// Reads the gzip header at an offset; the frame itself may extend past the end of `bytes`.
  init(_ bytes: Span<UInt8>, at offset: Int) throws(FrameError) {
    let extra: [UInt8]
    do throws(GzipError) {
      extra = try GzipMember.header(bytes, at: offset).extra
    } catch {
      throw .gzip(error)
    }
    // A later version may extend the field, but its version number stays at the same offset.
    guard extra.count >= Self.extraCount, extra[0...1] == [0x44, 0x42] else { throw .envelope }
    if extra[4] > Self.version { throw .version(extra[4]) }
    guard extra.count == Self.extraCount, extra[2...3] == [Self.labelCount, 0] else {
      throw .envelope
    }
    guard extra[4] == Self.version else { throw .version(extra[4]) }
    let member = Self.number(extra[5..<9])
    let first = Self.number(extra[9..<17])
    let events = Self.number(extra[17..<21])
    guard member > UInt64(Self.byteCount), member <= UInt64(Limit.saltedFrameBytes),
      events > 0,
      // An event takes at least three bytes.
      events <= UInt64(Limit.contentBytes / 3), first > 0, first < Limit.lastSequence,
      // The last sequence must also be below the limit.
      events <= Limit.lastSequence - first
    else { throw .envelope }
    (length, firstSequence, count) = (Int(member), first, Int(events))
    replica = ReplicaPrefix(Self.number(extra[21..<29]).byteSwapped)
  }

  /// The extra field of the gzip header; ``length`` must be set.
  func extra() -> [UInt8] {
    var field: [UInt8] = [0x44, 0x42, Self.labelCount, 0, Self.version]
    Self.append(UInt64(length), bytesWide: 4, to: &field)
    Self.append(firstSequence, bytesWide: 8, to: &field)
    Self.append(UInt64(count), bytesWide: 4, to: &field)
    // Unlike the other numbers, this number is stored in big-endian order, as in an id.
    Self.append(replica.number.byteSwapped, bytesWide: 8, to: &field)
    return field
  }

  private static let version: UInt8 = 1
  /// The length of the subfield, excluding its name and this length itself.
  private static let labelCount: UInt8 = 25

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func append(
    _ number: UInt64, bytesWide width: Int, to field: inout [UInt8]
  ) {
    for index in 0..<width {
      field.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index)))
    }
  }
}
