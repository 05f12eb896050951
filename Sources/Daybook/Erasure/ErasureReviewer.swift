import Bytes
import Crypto
import Journaling

/// Decides which erasures by other devices take effect here, and which are held until the user accepts them.
struct ErasureReviewer {
  let store: LogStore
  let localDevice: LocalDevice

  /// Decides which of the erasures that count are held, based on the earlier decisions in `book.json`.
  ///
  /// ``Eraser/keepReview()`` saves the decision.
  func review(
    _ ledger: Ledger, by trust: Trust, in tree: LogTree
  ) throws(DaybookError) -> (review: ErasureReview, heldBack: Set<Landmark.Mark>) {
    var review = store.file.erasures
    let counting = ledger.erasing.counting(by: trust.admitted)
    guard !counting.isEmpty else {
      _ = review.judge([], taking: [], in: tree, at: store.folder.now)
      return (review, [])
    }
    let own = try ownKeys(by: trust)
    let ends = try passedEnds(by: review, in: tree)
    var effective: Set<EventName> = []
    var fresh: [ErasureLedger.Erase] = []
    for erase in counting {
      let isOwn = trust.keys[erase.place.log].map(own.contains) ?? false
      if isOwn || erase.place.sequence <= ends[erase.place.log] ?? 0 {
        if let entity = try tree.resolve(erase)?.entity { effective.insert(entity) }
      } else {
        fresh.append(erase)
      }
    }
    var taking: [ErasureLedger.Erase] = []
    for erase in fresh {
      // An erasure removes nothing if its record is already erased, or if the body of the record's `add` is missing.
      guard let meant = try tree.resolve(erase), !effective.contains(meant.entity),
        ledger.erasing.stripped[meant.entity.log]?[meant.entity.sequence] == nil
      else { continue }
      taking.append(
        ErasureLedger.Erase(place: erase.place, entity: meant.entity, add: meant.add))
    }
    let heldBack = review.judge(fresh, taking: taking, in: tree, at: store.folder.now)
    return (review, heldBack)
  }

  /// The keys of this device: those of its logs, and its earlier keys.
  func ownKeys(by trust: Trust) throws(DaybookError) -> Set<PublicKey> {
    let own = try localDevice.ownLogs()
    let logs = own.ends.keys + [own.last].compactMap(\.self)
    return logs.compactMap { trust.keys[$0] }.reduce(into: []) { keys, key in
      keys.formUnion(RevocationScope.withPredecessors(of: key, in: trust))
    }
  }

  /// For each log, the event up to which its erasures are let through.
  private func passedEnds(
    by review: ErasureReview, in tree: LogTree
  ) throws(DaybookError) -> [UniqueID: UInt64] {
    var ends: [UniqueID: UInt64] = [:]
    for place in review.passed {
      // If the event is lost, use the log that contained it.
      let holder = try tree.holder(of: place) ?? place.log
      for reach in tree.reaches(through: holder, upTo: place.sequence) {
        ends[reach.log] = max(ends[reach.log] ?? 0, reach.upTo)
      }
    }
    return ends
  }

  /// Whether another process has accepted an erasure that was held when a read model was posted.
  func hasAccepted(since ledger: Ledger) throws(DaybookError) -> Bool {
    guard !ledger.erasing.heldBack.isEmpty else { return false }
    let ends = try passedEnds(by: store.file.erasures, in: store.logTree)
    return ledger.erasing.heldErases(by: ledger.folded).contains { erase in
      erase.place.sequence <= ends[erase.place.log] ?? 0
    }
  }
}
