import Bytes
import Crypto

/// What a strand is at an event behind which another strand may leave it.
struct Junction: Sendable {
  /// The chain hash there, where the event can be read.
  var hash: Digest?
  /// The log there, where its table is known, too.
  var end: LogEnd?
  /// The branch that the strand itself goes on with, were another to leave it here.
  var next: UniqueID?
}

/// Looks for junctions in the files of a strand, each of which it needs to read once at most.
struct JunctionSurvey {
  private(set) var found: [UInt64: Junction] = [:]
  private let wanted: [UInt64]
  /// The log behind the last frame of the file.
  private var before: LogEnd?

  /// - Parameters:
  ///   - sequences: The events behind which others may leave the strand, or 0 for its beginning.
  ///   - replica: Who wrote it.
  init(_ sequences: some Sequence<UInt64>, of replica: UniqueID) {
    wanted = sequences.sorted()
    for sequence in wanted { found[sequence] = Junction() }
    if wanted.first == 0 {
      let zero = LogEnd.zero(of: replica)
      found[0] = Junction(hash: zero.hash, end: zero)
    }
  }

  /// Begins with a file.
  ///
  /// - Returns: The first of its events that matters, or nil where none does.
  mutating func begin(_ segment: SegmentName) -> UInt64? {
    before = nil
    switch segment {
    case .sealed(let events):
      // Each sealed frame tells the table, so those before need not be unpacked.
      let least = wanted.first { $0 + 1 >= events.lowerBound && $0 <= events.upperBound }
      return least.map { max($0, 1) }
    case .tail(let first): return wanted.contains { $0 + 1 >= first } ? first : nil
    }
  }

  mutating func take(_ frame: Frame) {
    let start = before.flatMap { $0.joins(frame) ? $0 : nil } ?? frame.start
    before = start?.advanced(by: frame)
    for sequence in wanted {
      guard frame.firstSequence <= sequence + 1, sequence <= frame.lastSequence else { continue }
      let index = Int(sequence + 1 - frame.firstSequence)
      if index > 0, found[sequence]?.end == nil {
        found[sequence]?.hash = frame.events[index - 1].hash
        found[sequence]?.end = start.map { frame.end(before: index, after: $0) }
      }
      if found[sequence]?.next == nil { found[sequence]?.next = frame.branch(beginningAt: index) }
    }
  }
}

extension Frame {
  /// The name of the branch whose first command begins at one of the events, if one does.
  func branch(beginningAt index: Int) -> UniqueID? {
    guard index < events.count, events[index].isCommandStart else { return nil }
    let last = index + Int(events[index].more)
    return last < events.count ? .branch(firstCommandHash: events[last].hash) : nil
  }
}
