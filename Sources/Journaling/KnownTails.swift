import Bytes
import Crypto
import Platform

/// The tails of logs as they were read last, so that only what has been put behind that need be unpacked when they
/// are read again.
///
/// That the bytes are still the same is seen each time: a disk may have lost them since.
package struct KnownTails: Sendable {
  private struct Known {
    /// As far as ``digest`` reaches.
    let reading: TailReading
    let digest: Digest
  }

  /// By the folders of their logs.
  private var tails: [Path: Known] = [:]

  package init() {}

  /// What the beginning of a tail tells, where it was read before.
  func reading(
    of bytes: [UInt8], first: UInt64, behind next: UInt64, in folder: LogFolder
  ) -> TailReading? {
    guard let known = tails[folder.path], known.reading.tail.first == first,
      known.reading.start == next, known.reading.tail.length <= bytes.count,
      Self.digest(of: bytes, upTo: known.reading) == known.digest
    else { return nil }
    return known.reading
  }

  /// Keeps what a tail tells up to the end of its last frame.
  mutating func keep(_ reading: TailReading, of bytes: [UInt8], in folder: LogFolder) {
    // What a frame of a newer version hides is looked for each time.
    guard reading.newerVersion == nil, reading.end != nil else { return }
    let known = tails[folder.path]?.reading.tail
    // What was known until now has just been found to be there still.
    guard known?.first != reading.tail.first || known?.length != reading.tail.length else { return }
    tails[folder.path] = Known(reading: reading, digest: Self.digest(of: bytes, upTo: reading))
  }

  private static func digest(of bytes: [UInt8], upTo reading: TailReading) -> Digest {
    var hasher = SHA256()
    return hasher.digest(bytes.span.extracting(first: reading.tail.length))
  }
}
