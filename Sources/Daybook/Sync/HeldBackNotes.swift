import Bytes
import Journaling
import Syncing

/// Remembers the logs whose events a sync left out because they exceed a quota.
///
/// Such events are stored nowhere here. The notes are used only for reports, so they are stored in the read model. If
/// the read model is rebuilt, the next sync restores them.
struct HeldBackNotes {
  let store: LogStore
  let projector: Projector

  private var stored: ViewNote { ViewNote(name: "heldBack", projector: projector) }

  /// The replicas whose events a sync left out, and from which no event has arrived since.
  func replicas() throws(DaybookError) -> Set<UniqueID> { Set(try known().keys) }

  /// Notes the replicas whose events a sync left out.
  func note(_ problems: [SyncProblem]) throws(DaybookError) {
    let news = problems.compactMap { problem -> UniqueID? in
      if case .log(.overQuota(let replica)) = problem { replica } else { nil }
    }
    if news.isEmpty { return }
    var ends = try known()
    for replica in news { ends[replica] = heldSum(of: replica) }
    let members = ends.sorted { $0.key < $1.key }.map { replica, end in
      JSON.Member(replica.hex, .integer(end))
    }
    try stored.write(JSON.object(members))
  }

  /// The noted replicas, each with the sum of what was held here when events were left out.
  private func known() throws(DaybookError) -> [UniqueID: Int64] {
    guard let members = try stored.read()?.members else { return [:] }
    var ends: [UniqueID: Int64] = [:]
    for member in members {
      guard let replica = UniqueID(hex: member.name), let end = member.value.integer,
        end == heldSum(of: replica)
      else { continue }
      ends[replica] = end
    }
    return ends
  }

  /// The sum of the last events of all branches, which changes when events of any branch arrive.
  ///
  /// If the log has not forked, this is its last event.
  private func heldSum(of replica: UniqueID) -> Int64 {
    store.journal.ends(of: replica).reduce(0) { $0 &+ Int64(truncatingIfNeeded: $1.sequence) }
  }
}
