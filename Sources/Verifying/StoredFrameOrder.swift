import Bytes
import Crypto

/// Decides which of a file's frames are part of the log, according to the table *Frames of a file* in section 7.1 of
/// `protocol.md`.
///
/// All frames belong to the file's replica and are in the range of events in the file's name.
struct StoredFrameOrder: ~Copyable {
  private let replica: UniqueID
  /// The first event in the file's name.
  private let first: UInt64
  /// The last event of the last frame that is part of the log, and its chain hash.
  private var last: (sequence: UInt64, hash: Digest)?
  /// The chain hash at the end of the last frame that is out of place.
  private var passed: Digest?
  private var hasher = SHA256()

  init(_ file: ListedFile, of replica: UniqueID) { (first, self.replica) = (file.first, replica) }

  /// Whether events are missing before the frame, so that the next frame may contradict it.
  func leavesGap(before frame: borrowing StoredFrame) -> Bool {
    guard let last else { return frame.first != first }
    return frame.first > last.sequence + 1
  }

  /// Records a frame that is part of the log, with the chain hash at its end.
  mutating func follow(_ frame: borrowing StoredFrame, endingIn hash: Digest) {
    last = (frame.last, hash)
  }

  /// Records a frame that is out of place, with the chain hash at its end.
  mutating func pass(_ hash: Digest) { passed = hash }

  /// Decides whether a frame is out of place.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - claims: The information in the frame.
  ///   - next: The next frame of the file, if this frame leaves a gap.
  /// - Returns: The fault of a frame that is out of place; nil if the frame is part of the log.
  /// - Throws: The error of a frame that cannot be decoded, if its place depends on its content.
  mutating func fault(
    of frame: borrowing StoredFrame, _ claims: FrameClaims, before next: StoredFrame?
  ) throws(CBORError) -> Fault.Kind? {
    if leavesGap(before: frame) {
      let isContradicted = try next.map { next throws(CBORError) in
        try contradicts(next, frame, claims)
      }
      return claims.hash == passed || isContradicted ?? false
        ? .misplaced(frame.first...frame.last) : nil
    }
    guard let last else { return nil }
    if frame.first <= last.sequence { return .repeated(frame.first...frame.last) }
    return claims.hash == last.hash ? nil : .unjoined(.chain)
  }

  /// Whether the next frame shows that a frame is out of place.
  private mutating func contradicts(
    _ next: StoredFrame, _ frame: borrowing StoredFrame, _ claims: FrameClaims
  ) throws(CBORError) -> Bool {
    guard next.first == frame.last + 1 else { return next.first <= frame.last }
    var reader = CBORReader(next.content.span)
    // If the next frame cannot be decoded, it contradicts nothing, and is reported when it is checked.
    guard
      let nextClaims = try? FrameClaims(
        &reader, bytes: next.content.span, events: next.first...next.last)
    else { return false }
    return try nextClaims.hash != end(of: frame, claims)
  }

  /// The chain hash at the end of a frame, which is checked once the frame's place is known.
  private mutating func end(
    of frame: borrowing StoredFrame, _ claims: FrameClaims
  ) throws(CBORError) -> Digest {
    let content = frame.content.span
    var ignored = FaultCollector()
    var chain = ChainState(
      claims, of: frame, behind: nil, mustHaveTable: false, &ignored)
    var reader = CBORReader(content)
    _ = try reader.skip()
    var events = EventCheck(of: replica, salting: claims.blocks, first: frame.first)
    for sequence in frame.first...frame.last {
      _ = try events.check(
        sequence, &reader, content: content, chain: &chain, &hasher, &ignored)
    }
    return chain.hash
  }
}
