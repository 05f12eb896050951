package import Bytes
import Platform

/// Events that are lost, in the file `holes` of the book: what opening a journal does not see by itself.
extension Journal {
  private var holesFile: Path { folder / "holes" }

  /// Remembers, in addition to what is known, events of logs that cannot be read.
  ///
  /// Others are told that they are not held, and fill them.
  package mutating func note(
    holes found: [UniqueID: [ClosedRange<UInt64>]]
  ) throws(JournalError) {
    var holes: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for (log, ranges) in found {
      let strand = strand(of: log)
      let known = holes[strand] ?? states[strand]?.holes ?? []
      holes[strand] = known + ranges
    }
    try setHoles(holes)
  }

  /// Remembers what a verification of the files has found, in place of what was known.
  package mutating func note(_ report: VerificationReport) throws(JournalError) {
    var holes: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in report.logs { holes[log.id] = log.missing }
    try setHoles(holes)
  }

  /// Sets what is lost of some strands.
  private mutating func setHoles(
    _ found: [UniqueID: [ClosedRange<UInt64>]]
  ) throws(JournalError) {
    var changed = false
    for (strand, ranges) in found {
      guard let state = states[strand] else { continue }
      let own = state.first...max(state.first, state.end.sequence)
      let holes = Self.merged(ranges.filter { $0.overlaps(own) }.map { $0.clamped(to: own) })
      guard holes != state.holes else { continue }
      states[strand]?.holes = holes
      changed = true
    }
    guard changed else { return }
    try saveHoles()
    try findBranches()
  }

  /// Remembers, until the journal is opened again, which events have lost their bodies though no `erase` that
  /// counts took them.
  package mutating func note(
    bodiless found: [UniqueID: [ClosedRange<UInt64>]]
  ) {
    for strand in states.keys { states[strand]?.bodiless = [] }
    for (log, ranges) in found {
      states[strand(of: log)]?.bodiless += ranges
    }
  }

  mutating func saveHoles() throws(JournalError) {
    let members = states.filter { !$0.value.holes.isEmpty }.sorted { $0.key < $1.key }
    let json = JSON.object(
      members.map { strand, state in
        JSON.Member(
          strand.hex,
          .array(state.holes.map { .array([.sequence($0.lowerBound), .sequence($0.upperBound)]) }))
      })
    let (disk, path) = (disk, holesFile)
    try writing { () throws(DiskError) in
      if members.isEmpty, try disk.status(path) == nil { return }
      try disk.replace(path, with: Array((json.text(indented: false) + "\n").utf8))
    }
  }

  /// Reads what is remembered; a file that cannot be read tells nothing, and verifying writes it anew.
  mutating func loadHoles() throws(JournalError) {
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: holesFile, limit: Limit.fileBytes)
    } catch {
      if error.reason == .notFound { return }
      throw .disk(error)
    }
    guard let json = try? JSON(parsing: bytes) else { return }
    for member in json.members ?? [] {
      guard let strand = UniqueID(hex: member.name), let state = states[strand] else { continue }
      let told = (member.value.array ?? []).compactMap(\.sequences)
      let own = state.first...max(state.first, state.end.sequence)
      let held = told.filter { $0.overlaps(own) }.map { $0.clamped(to: own) }
      states[strand]?.holes = Self.merged(state.holes + held)
    }
  }

  /// Ranges in order, apart from each other.
  static func merged(_ ranges: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
    var merged: [ClosedRange<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] =
          last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}

extension ClosedRange<UInt64> {
  /// What of this lies outside of another.
  func without(_ other: ClosedRange<UInt64>) -> [ClosedRange<UInt64>] {
    guard overlaps(other) else { return [self] }
    var parts: [ClosedRange<UInt64>] = []
    if lowerBound < other.lowerBound { parts.append(lowerBound...other.lowerBound - 1) }
    if upperBound > other.upperBound { parts.append(other.upperBound + 1...upperBound) }
    return parts
  }
}

extension [ClosedRange<UInt64>] {
  /// What of these lies outside of others.
  func without(_ others: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
    others.reduce(self) { left, other in left.flatMap { $0.without(other) } }
  }
}

extension JSON {
  fileprivate static func sequence(_ number: UInt64) -> JSON { .integer(Int64(clamping: number)) }

  /// A range of sequences, written as its ends.
  fileprivate var sequences: ClosedRange<UInt64>? {
    guard let ends = array, ends.count == 2, let first = ends[0].integer,
      let last = ends[1].integer, first > 0, first <= last
    else { return nil }
    return UInt64(first)...UInt64(last)
  }
}
