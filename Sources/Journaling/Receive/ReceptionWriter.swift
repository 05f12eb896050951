import Bytes
import Platform

/// Stores what heads prove of what was received.
struct ReceptionWriter {
  let store: SegmentStore
  let index: LogIndex
  let sealer: SegmentSealer
  let merger: SegmentMerger
  let tailWriter: TailWriter
  let lossKeeper: LossKeeper

  /// Stores what heads prove of what is staged of a strand.
  func storeProved(
    of strand: UniqueID, in receptions: inout [UniqueID: Reception]
  ) throws(JournalError) {
    guard let drafts = receptions[strand]?.takeProved(), let last = drafts.last,
      let reception = receptions[strand]
    else { return }
    let byteCount = drafts.reduce(0) { $0 + $1.bytes.count }
    let isNew = index.states[strand] == nil
    if isNew { index.states[strand] = newState(for: reception) }
    do throws(JournalError) {
      if reception.shelf == .aside { try checkRoom(for: drafts, of: strand) }
      try write(drafts, byteCount: byteCount, of: strand, behindHole: reception.missing != nil)
    } catch {
      if isNew, index.states[strand]?.end.sequence == reception.start.sequence {
        index.states[strand] = nil
      }
      receptions[strand] = nil
      throw error
    }
    index.states[strand]?.end = last.end
    index.states[strand]?.lastBlock = last.secrets.blocks.last
    if let missing = reception.missing {
      receptions[strand]?.missing = nil
      index.states[strand]?.losses.add(events: [missing])
      try lossKeeper.saveHoles()
    }
    merger.tidy(strand, keys: nil, hasSealed: byteCount >= Limit.tailBytes)
  }

  private func newState(for reception: Reception) -> LogState {
    var state = LogState(
      shelf: reception.shelf, replica: reception.replica, end: reception.start,
      publicKey: reception.publicKey)
    state.first = reception.start.sequence + 1
    if index.states[reception.replica] != nil { state.before = reception.start.hash }
    return state
  }

  private func write(
    _ drafts: [FrameDraft], byteCount: Int, of strand: UniqueID, behindHole: Bool
  ) throws(JournalError) {
    // Behind a hole each file tells the table by itself.
    guard byteCount >= Limit.tailBytes || behindHole else {
      return try tailWriter.writeToTail(drafts, of: strand)
    }
    guard drafts[0].firstStored == index.states[strand]?.tail?.first else {
      try sealer.seal(strand, keys: nil)
      try sealer.writeSealed(drafts, of: strand)
      index.states[strand]?.tail = nil
      return
    }
    // What the tail holds came once more, with more behind it.
    try sealer.writeSealed(drafts, of: strand)
    sealer.removeTail(of: strand)
  }

  /// Sees that what comes, as it is packed, fits beside what is held of a replica.
  private func checkRoom(
    for drafts: [FrameDraft], of strand: UniqueID
  ) throws(JournalError) {
    guard let state = index.states[strand] else { return }
    var news = 0
    for (place, draft) in drafts.enumerated() {
      let isFirst = place == 0 && state.tail == nil
      news += try draft.packed(for: strand, level: .quick, withTable: isFirst).count
    }
    let replica = state.replica
    let folders = index.strands(of: replica).map { store.folder($0, of: replica, .aside) }
    let used = try onDisk { () throws(DiskError) in
      var used = news
      for folder in folders where try store.disk.status(folder.path) != nil {
        for segment in try folder.segments() {
          used += try store.disk.status(folder.path(of: segment))?.size ?? 0
        }
      }
      return used
    }
    guard used <= Limit.asideLogBytes else { throw .asideFull }
  }
}
