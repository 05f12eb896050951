package import Bytes
import Crypto

/// What the erasures a holder knows say of stored events.
package enum Verdict: UInt8, Hashable, Comparable, Sendable {
  /// Nothing has to be done about them.
  case clean
  /// A body is there that was erased, or a seed that lets such a body be guessed.
  case hasBodyToStrip
  /// A body is stripped, and no erasure that is known explains it.
  case hasUnexplained

  package static func < (left: Verdict, right: Verdict) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A file of a directory peer that was read, every frame of it, and holds what its name says.
package struct VerifiedFile: Hashable, Sendable {
  package let name: DirectoryName
  /// The worst of its frames.
  package let verdict: Verdict
  /// The chain hashes that were asked for, as far as it reaches them.
  package let hashes: [UInt64: Digest]

  package init(_ name: DirectoryName, verdict: Verdict, hashes: [UInt64: Digest]) {
    (self.name, self.verdict, self.hashes) = (name, verdict, hashes)
  }

  /// The sequences where a file's own range begins and ends in the chain.
  static func ends(of name: DirectoryName) -> [UInt64] {
    [name.events.lowerBound - 1, name.events.upperBound]
  }

  /// Verifies what was read of a file, and notes hashes at its own ends and where else they matter.
  init?(
    _ name: DirectoryName, _ bytes: [UInt8], of replica: UniqueID, as holder: any Holder,
    noting others: [UInt64] = []
  ) {
    guard SHA256.digest(of: bytes).prefix16 == name.digest else { return nil }
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

/// Whether a file of a directory peer may be removed, since another holds the same.
///
/// Both were read and verified, and `new` was read back just now. Two devices that go by this, each
/// as it sees the files, never take away each other's last copy.
///
/// - Parameters:
///   - old: The file that would be removed.
///   - new: The file that stays; its hashes were noted where `old` begins and ends.
/// - Returns: True where `new` holds all that `old` holds and should.
package func mayReplace(_ old: VerifiedFile, by new: VerifiedFile) -> Bool {
  guard old.name != new.name,
    new.name.events.lowerBound <= old.name.events.lowerBound,
    old.name.events.upperBound <= new.name.events.upperBound
  else { return false }
  // The hash at its end stands for all before it, but a file tells only what it holds.
  for sequence in VerifiedFile.ends(of: old.name) {
    guard let hash = old.hashes[sequence], new.hashes[sequence] == hash else { return false }
  }
  guard old.verdict != .hasUnexplained, new.verdict == .clean else { return false }
  if old.verdict == .hasBodyToStrip { return true }
  return (old.name.events.count, old.name.string) < (new.name.events.count, new.name.string)
}
