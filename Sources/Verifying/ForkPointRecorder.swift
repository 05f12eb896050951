/// Records a strand's state at the events after which other strands of the replica fork.
struct ForkPointRecorder {
  private let points: Set<UInt64>
  private(set) var recorded: [UInt64: ForkPoint] = [:]
  /// The fork points after which no command has ended yet.
  private var open: [UInt64] = []

  init(at points: Set<UInt64>) { self.points = points }

  /// Records the state if strands fork at the current event.
  mutating func record(_ chain: ChainState, endsCommand: Bool) {
    guard !points.isEmpty, !chain.isAdrift else { return }
    if endsCommand {
      for point in open where point < chain.sequence { recorded[point]?.next = chain.hash }
      open.removeAll { $0 < chain.sequence }
    }
    let sequence = chain.sequence
    guard points.contains(sequence), recorded[sequence] == nil else { return }
    open.append(sequence)
    recorded[sequence] = ForkPoint(
      time: chain.time, when: chain.when, hash: chain.hash, tableCount: chain.tableCount,
      table: chain.table, endsCommand: endsCommand)
  }
}
