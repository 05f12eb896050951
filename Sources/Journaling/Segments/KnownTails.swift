import Bytes
import Crypto
import Platform

/// The tails of logs as they were read last, so that only what has been put behind that need be unpacked when they
/// are read again.
///
/// That the bytes are still the same is seen each time: a disk may have lost them since.
package struct KnownTails: Sendable {
  /// A tail up to the end of its last frame.
  struct Known {
    let reading: TailReading
    /// What its frames tell of the next one.
    let order: FrameOrder
    let digest: Digest

    var length: Int { reading.tail.length }
  }

  /// By the folders of their logs.
  private var tails: [Path: Known] = [:]

  package init() {}

  /// What the beginning of a tail tells, where it was read before.
  func tail(
    in bytes: [UInt8], first: UInt64, behind next: UInt64, of folder: LogFolder
  ) -> Known? {
    guard let known = tails[folder.path], known.reading.tail.first == first,
      known.reading.start == next, known.length <= bytes.count,
      Self.digest(of: bytes, upTo: known.length) == known.digest
    else { return nil }
    return known
  }

  /// Keeps what a tail tells up to the end of its last frame.
  mutating func keep(
    _ reading: TailReading, _ order: FrameOrder, of bytes: [UInt8], in folder: LogFolder
  ) {
    // What lies behind the last frame is looked at each time, and so is whether that is in its place where only what
    // follows it can say.
    guard reading.tail.length == bytes.count, order.isAnchored else { return }
    let digest = Self.digest(of: bytes, upTo: reading.tail.length)
    tails[folder.path] = Known(reading: reading, order: order, digest: digest)
  }

  private static func digest(of bytes: [UInt8], upTo length: Int) -> Digest {
    var hasher = SHA256()
    return hasher.digest(bytes.span.extracting(first: length))
  }
}
