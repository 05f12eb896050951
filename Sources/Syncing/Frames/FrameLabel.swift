package import Journaling

/// The information at the beginning of a frame: its length, its replica, and the range of its events.
///
/// This information is enough to forward frames. The store checks whether it is true.
package struct FrameLabel: Hashable, Sendable {
  static let byteCount = 43

  /// The length of the whole frame, in bytes.
  package let length: Int
  package let events: ClosedRange<UInt64>
  package let replica: ReplicaPrefix

  /// The constant bytes of the gzip header, with their offsets.
  private static let constants: [(offset: Int, bytes: [UInt8])] = [
    (0, [0x1f, 0x8b, 8, 6, 0, 0, 0, 0, 0, 255, 29, 0]),
    // The subfield's name and length, and version 1.
    (12, [0x44, 0x42, 25, 0, 1]),
  ]

  /// Reads the label of a frame at an offset.
  ///
  /// The frame itself may extend past the end of `bytes`.
  package init?(_ bytes: Span<UInt8>, at offset: Int) {
    guard bytes.count - offset >= Self.byteCount else { return nil }
    for (place, constant) in Self.constants {
      for (index, byte) in constant.enumerated() {
        guard bytes[offset + place + index] == byte else { return nil }
      }
    }
    let member = Self.number(bytes, at: offset + 17, bytesWide: 4)
    let first = Self.number(bytes, at: offset + 21, bytesWide: 8)
    let count = Self.number(bytes, at: offset + 29, bytesWide: 4)
    guard member > UInt64(Self.byteCount), member <= UInt64(Limit.frameBytes), count > 0,
      first > 0, first < 1 << 62, count <= 1 << 62 - first
    else { return nil }
    length = Int(member)
    events = first...first + (count - 1)
    replica = ReplicaPrefix(Self.number(bytes, at: offset + 33, bytesWide: 8).byteSwapped)
  }

  private static func number(
    _ bytes: Span<UInt8>, at offset: Int, bytesWide width: Int
  ) -> UInt64 {
    (0..<width).reversed().reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
  }
}
