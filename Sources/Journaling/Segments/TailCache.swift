import Bytes
import Crypto
import Platform

/// What was found in tails when they were last read, so that only new frames are decoded.
///
/// The digest of the known bytes is compared each time, because the disk may have lost some of them since.
package struct TailCache: Sendable {
  /// A tail up to the end of its last frame.
  struct Known {
    let reading: TailReading
    /// The order that the next frame must follow.
    let order: FrameOrder
    let digest: Digest

    var length: Int { reading.tail.length }
  }

  /// By the folders of their logs.
  private var tails: [Path: Known] = [:]

  package init() {}

  /// What was found in the beginning of a tail, if it was read before and has not changed.
  func tail(
    in bytes: [UInt8], first: UInt64, behind next: UInt64, of folder: LogFolder
  ) -> Known? {
    guard let known = tails[folder.path], known.reading.tail.first == first,
      known.reading.start == next, known.length <= bytes.count,
      Self.digest(of: bytes, upTo: known.length) == known.digest
    else { return nil }
    return known
  }

  /// Keeps what was found in a tail.
  mutating func keep(
    _ reading: TailReading, _ order: FrameOrder, of bytes: [UInt8], in folder: LogFolder
  ) {
    // A tail with bytes behind its last frame is read anew each time, and so is one whose last frame is behind a hole:
    // only later frames can show whether it is in its place.
    guard reading.tail.length == bytes.count, order.isAnchored else { return }
    let digest = Self.digest(of: bytes, upTo: reading.tail.length)
    tails[folder.path] = Known(reading: reading, order: order, digest: digest)
  }

  private static func digest(of bytes: [UInt8], upTo length: Int) -> Digest {
    var hasher = SHA256()
    return hasher.digest(bytes.span.extracting(first: length))
  }
}
