package import Bytes
import Crypto

/// The effect of a store's known erasures on stored events.
package enum Verdict: UInt8, Hashable, Comparable, Sendable {
  /// No action is necessary.
  case clean
  /// The frame contains an erased body, or a seed with which such a body could be guessed.
  case hasBodyToStrip
  /// A body is missing, and no known erasure explains it.
  case hasUnexplained

  package static func < (left: Verdict, right: Verdict) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A file of a directory peer that matches its name and whose frames have all been read.
package struct VerifiedFile: Hashable, Sendable {
  package let name: DirectoryName
  /// The worst of the verdicts on the file's frames.
  package let verdict: Verdict
  /// The requested chain hashes of events in the file's range.
  package let hashes: [UInt64: Digest]

  package init(_ name: DirectoryName, verdict: Verdict, hashes: [UInt64: Digest]) {
    (self.name, self.verdict, self.hashes) = (name, verdict, hashes)
  }

  /// The sequences before a file's first event and at its last event.
  static func ends(of name: DirectoryName) -> [UInt64] {
    [name.events.lowerBound - 1, name.events.upperBound]
  }

  /// Verifies the frames of a file that matches its name, and collects the hashes at its ends and at other given
  /// sequences.
  init?(
    _ name: DirectoryName, _ bytes: [UInt8], of replica: UniqueID, as holder: any Holder,
    noting others: [UInt64] = []
  ) {
    var frames = FrameCursor(bytes, of: replica)
    var verdict = Verdict.clean
    var hashes: [UInt64: Digest] = [:]
    var last: FrameSpan?
    var lastBytes: [UInt8] = []
    while let frame = frames.next() {
      let frameBytes = Array(bytes[frame.range])
      guard let span = holder.span(of: frameBytes),
        span.events.lowerBound == last.map({ $0.events.upperBound + 1 }) ?? name.events.lowerBound,
        span.before == last?.end ?? span.before
      else { return nil }
      for sequence in Self.ends(of: name) + others {
        if let hash = span.hash(at: sequence) { hashes[sequence] = hash }
      }
      verdict = max(verdict, holder.verdict(on: frameBytes, of: replica))
      (last, lastBytes) = (span, frameBytes)
    }
    guard frames.isAtEnd, last?.events.upperBound == name.events.upperBound,
      holder.acceptsHead(of: lastBytes, of: replica)
    else { return nil }
    self.init(name, verdict: verdict, hashes: hashes)
  }
}

/// Whether a file of a directory peer may be removed because another file contains the same events.
///
/// Both files have been read and verified, and `new` has just been read back. Two devices that follow this rule never
/// remove each other's last copy, regardless of the state in which each of them sees the folder.
///
/// - Parameters:
///   - old: The file to be removed.
///   - new: The file that is kept, with its hashes at the ends of `old`.
/// - Returns: Whether `new` contains everything in `old` that must be kept.
package func mayReplace(_ old: VerifiedFile, by new: VerifiedFile) -> Bool {
  guard old.name != new.name,
    new.name.events.lowerBound <= old.name.events.lowerBound,
    old.name.events.upperBound <= new.name.events.upperBound
  else { return false }
  // The hash at the end of a file covers all events before it, but the file contains only the events in its range.
  for sequence in VerifiedFile.ends(of: old.name) {
    guard let hash = old.hashes[sequence], new.hashes[sequence] == hash else { return false }
  }
  guard old.verdict != .hasUnexplained, new.verdict == .clean else { return false }
  if old.verdict == .hasBodyToStrip { return true }
  return (old.name.events.count, old.name.string) < (new.name.events.count, new.name.string)
}
