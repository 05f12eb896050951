import Bytes
import Crypto
import Platform

/// The results of the latest read of each tail, so only new frames have to be decoded.
///
/// The digest of the known bytes is compared each time, because the disk may have lost some of these bytes.
package struct TailCache: Sendable {
  /// A tail up to the end of its last frame.
  struct Known {
    let reading: TailReading
    /// The state that determines whether the next frame counts.
    let order: FrameOrder
    let digest: Digest

    var length: Int { reading.tail.length }
  }

  /// The readings, keyed by the folder of the log.
  private var tails: [Path: Known] = [:]

  package init() {}

  /// Returns the cached reading of the beginning of a tail, if the tail has already been read and these bytes have not
  /// changed.
  func tail(
    in bytes: [UInt8], first: UInt64, behind next: UInt64, of folder: LogFolder
  ) -> Known? {
    guard let known = tails[folder.path], known.reading.tail.first == first,
      known.reading.start == next, known.length <= bytes.count,
      Self.digest(of: bytes, upTo: known.length) == known.digest
    else { return nil }
    return known
  }

  mutating func keep(
    _ reading: TailReading, _ order: FrameOrder, of bytes: [UInt8], in folder: LogFolder
  ) {
    // A tail with bytes after its last frame is not cached. Neither is a tail whose last frame follows a hole, because
    // only later frames can show whether that frame is in place.
    guard reading.tail.length == bytes.count, order.isAnchored else { return }
    let digest = Self.digest(of: bytes, upTo: reading.tail.length)
    tails[folder.path] = Known(reading: reading, order: order, digest: digest)
  }

  private static func digest(of bytes: [UInt8], upTo length: Int) -> Digest {
    var hasher = SHA256()
    return hasher.digest(bytes.span.extracting(first: length))
  }
}
