import SimulatedPlatform

extension Survival {
  static let sector = 512

  /// The outcomes of a power cut for unflushed changes: all subsets of a few changes, or a sample of the subsets of
  /// many, each also with its last write torn.
  static func all(of changes: [Unflushed], _ dice: Seeded) -> [Survival] {
    var dice = dice
    let choices: [[Fate]] =
      changes.count <= 10
      ? (0..<(1 << changes.count)).map { choice in
        changes.indices.map { choice >> $0 & 1 == 1 ? .kept : .lost }
      }
      : (0..<512).map { _ in changes.map { _ in Bool.random(using: &dice) ? .kept : .lost } }
    return choices.flatMap { fates in
      [.chosen(fates)]
        + torn(fates, changes, everyByte: !fates.contains(.lost), &dice).map { .chosen($0) }
    }
  }

  /// A sample of the outcomes of a power cut.
  static func some(of changes: [Unflushed], count: Int, _ dice: Seeded) -> [Survival] {
    guard !changes.isEmpty else { return [.nothing] }
    return [.nothing, .everything] + (0..<count).map { _ in .random(seed: dice.next()) }
  }

  /// The same fates, with the last kept write torn in several ways.
  private static func torn(
    _ fates: [Fate], _ changes: [Unflushed], everyByte: Bool, _ dice: inout Seeded
  ) -> [[Fate]] {
    for index in fates.indices.reversed() where fates[index] == .kept {
      guard case .write(let offset, let byteCount) = changes[index], byteCount > 0 else { continue }
      return parts(of: offset..<offset + byteCount, everyByte: everyByte, &dice).map { part in
        var fates = fates
        fates[index] = part
        return fates
      }
    }
    return []
  }

  /// The parts of a write that can reach the disk.
  private static func parts(
    of range: Range<Int>, everyByte: Bool, _ dice: inout Seeded
  ) -> [Fate] {
    let byteCount = range.count
    var bytes: Set<Int> = [1, byteCount - 1]
    if everyByte, byteCount <= 6_000 {
      bytes.formUnion(stride(from: 0, to: byteCount, by: byteCount <= 2_000 ? 1 : 2))
    }
    for _ in 0..<4 { bytes.insert(Int.random(in: 0..<byteCount, using: &dice)) }
    let edges = stride(from: 0, to: range.upperBound, by: sector)
      .map { $0 - range.lowerBound }.filter { $0 > 0 }
    // Only some sectors of a large write are tried, which leaves time for small writes.
    bytes.formUnion(edges.count <= 8 ? edges : edges.shuffled(using: &dice).prefix(8).sorted())
    let starts = [0] + edges
    let sectors = starts.enumerated().map { index, start in
      start..<(index + 1 < starts.count ? starts[index + 1] : byteCount)
    }
    var fates: [Fate] = bytes.sorted().map { .torn(afterBytes: $0) } + [.partly([])]
    guard sectors.count > 1 else { return fates }
    for _ in 0..<min(8, 1 << sectors.count) {
      fates.append(.partly(sectors.filter { _ in Bool.random(using: &dice) }))
    }
    return fates
  }
}
