import Bytes
import Platform

/// Stores the received events that a head proves.
struct ReceptionWriter {
  let store: SegmentStore
  let index: LogIndex
  let sealer: SegmentSealer
  let merger: SegmentMerger
  let tailWriter: TailWriter
  let lossKeeper: LossKeeper

  /// Stores the staged events of a strand that a head proves.
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
    // After a hole, a file must begin with the table.
    guard byteCount >= Limit.tailBytes || behindHole else {
      return try tailWriter.writeToTail(drafts, of: strand)
    }
    guard drafts[0].firstStored == index.states[strand]?.tail?.first else {
      try sealer.seal(strand, keys: nil)
      try sealer.writeSealed(drafts, of: strand)
      index.states[strand]?.tail = nil
      return
    }
    // The frame contains all events of the tail and additional events.
    try sealer.writeSealed(drafts, of: strand)
    sealer.removeTail(of: strand)
  }

  /// Checks that the new frames, once packed, fit within the limit for a log that is not admitted.
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
