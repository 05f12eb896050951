package import Bytes
import Crypto

/// An event of a strand after which another strand may fork.
struct BranchPoint: Sendable {
  /// The chain hash at the event, if it can be read.
  var hash: Digest?
  /// The log end at the event, if it can be read, with the table as far as the strand contains it.
  var end: LogEnd?
  /// The branch with which the strand itself continues if another strand forks from it at this event.
  var next: UniqueID?
}

/// Finds branch points in the files of a strand.
///
/// Each file is read at most once.
struct BranchPointSearch {
  private(set) var found: [UInt64: BranchPoint] = [:]
  private let wanted: [UInt64]
  /// The table at the end of the strand.
  private let table: [UniqueID]
  /// The log end after the last frame.
  private var before: LogEnd?

  /// - Parameters:
  ///   - sequences: The events after which other strands may fork from the strand; 0 means before the first event.
  ///   - replica: The replica that wrote the strand.
  ///   - table: The table at the end of the strand. The table before each earlier event is a prefix of this table.
  init(_ sequences: some Sequence<UInt64>, of replica: UniqueID, endingWith table: [UniqueID]) {
    (wanted, self.table) = (sequences.sorted(), table)
    for sequence in wanted { found[sequence] = BranchPoint() }
    if wanted.first == 0 {
      let zero = LogEnd.zero(of: replica)
      found[0] = BranchPoint(hash: zero.hash, end: zero)
    }
  }

  /// Prepares to search a file.
  ///
  /// - Returns: The first event of the file to read from, or nil if the file need not be read.
  mutating func begin(_ segment: SegmentName) -> UInt64? {
    before = nil
    switch segment {
    case .sealed(let events):
      // Each frame of a sealed file contains its table, so the frames before `least` need not be decoded.
      let least = wanted.first { $0 + 1 >= events.lowerBound && $0 <= events.upperBound }
      return least.map { max($0, 1) }
    case .tail(let first): return wanted.contains { $0 + 1 >= first } ? first : nil
    }
  }

  mutating func take(_ frame: Frame) {
    let start =
      before.flatMap { $0.joins(frame) ? $0 : nil }
      ?? frame.start(withTable: frame.table(continuing: table))
    before = start.advanced(by: frame)
    for sequence in wanted {
      guard frame.firstSequence <= sequence + 1, sequence <= frame.lastSequence else { continue }
      let index = Int(sequence + 1 - frame.firstSequence)
      // A fork follows a whole command. Only a damaged or forged strand continues after part of a command.
      guard index == frame.events.count || frame.events[index].isCommandStart else { continue }
      if index > 0, found[sequence]?.end == nil {
        found[sequence]?.hash = frame.events[index - 1].hash
        found[sequence]?.end = frame.end(before: index, after: start)
      }
      if found[sequence]?.next == nil { found[sequence]?.next = frame.branch(beginningAt: index) }
    }
  }
}

extension Frame {
  /// The id of the branch that begins at an event of the frame; nil if no command begins there.
  package func branch(beginningAt index: Int) -> UniqueID? {
    guard index < events.count, events[index].isCommandStart else { return nil }
    let last = index + Int(events[index].more)
    return last < events.count ? .branch(firstCommandHash: events[last].hash) : nil
  }
}
