/// Finds the dispute of a document: a delete and a giver of one member that no later event has settled.
///
/// The two are in dispute if they are concurrent and nothing took the delete back, or if an undo reopened the dispute.
///
/// Each delete is compared with each giver, and each pair with each settler, so only the latest deletes, givers and
/// settlers count, as protocol.md specifies.
struct DisputeFinder {
  private let members: [Entity]
  private let causality: Causality
  /// The latest events that may have settled a dispute.
  private let settlers: [EventKey]
  /// The latest events that gave life to a member.
  private let keepers: [EventKey]

  private init(_ members: [Entity], settledBy aliases: [Mark], _ causality: Causality) {
    (self.members, self.causality) = (members, causality)
    let settlers = members.flatMap { $0.givers + $0.deletes } + aliases
    self.settlers = causality.latestSettlers(settlers).map(\.key)
    keepers = causality.latestSettlers(members.flatMap(\.lifeGivers)).map(\.key)
  }

  /// Finds the dispute with the latest delete and, among the disputes with this delete, the latest giver.
  ///
  /// - Parameters:
  ///   - members: The members of a document.
  ///   - aliases: The latest live aliases that join the members.
  ///   - causality: The events that the authors of all these events had seen.
  /// - Returns: nil if there is no dispute.
  static func dispute(
    among members: [Entity], settledBy aliases: [Mark], by causality: Causality
  ) -> Document.Dispute? {
    guard members.contains(where: { !$0.deletes.isEmpty }) else { return nil }
    return Self(members, settledBy: aliases, causality).latest()
  }

  /// A delete and a giver of one member.
  private struct Pair {
    let member: EventKey
    let delete: Mark
    let giver: Mark
    let isReopened: Bool
  }

  private func latest() -> Document.Dispute? {
    let pairs = members.compactMap { latest(in: $0) ?? reopened(in: $0) }
    let shown = pairs.max { left, right in
      let deletes = (causality.stamp(of: left.delete), causality.stamp(of: right.delete))
      if deletes.0 != deletes.1 { return deletes.0 < deletes.1 }
      return causality.stamp(of: left.giver) < causality.stamp(of: right.giver)
    }
    return shown.map { pair in
      Document.Dispute(
        delete: pair.delete, giver: pair.giver, members: pairs.map(\.member),
        isReopened: pair.isReopened)
    }
  }

  /// Finds the latest delete with a concurrent giver such that no settler has seen both.
  ///
  /// A delete that a keeper has seen was taken back and does not count.
  private func latest(in member: Entity) -> Pair? {
    let deletes = causality.latest(member.deletes, count: Schema.Limit.disputedMarks)
      .filter { observers(of: $0.key, among: keepers) == 0 }
    guard !deletes.isEmpty else { return nil }
    let givers = causality.latest(member.lifeGivers, count: Schema.Limit.disputedMarks)
    let heirs = givers.map { observers(of: $0.key, among: settlers) }
    for delete in deletes {
      let seers = observers(of: delete.key, among: settlers)
      for (giver, others) in zip(givers, heirs)
      where seers & others == 0 && causality.areConcurrent(delete.key, giver.key) {
        return Pair(member: member.key, delete: delete, giver: giver, isReopened: false)
      }
    }
    return nil
  }

  /// The delete and the giver of a dispute that an undo reopened; nil if settlers have seen every such undo.
  ///
  /// The undo and the event that it took back are in one log, so a delete from another log is preferred. The giver comes
  /// from a log other than that of the delete, because a log is never in conflict with itself.
  private func reopened(in member: Entity) -> Pair? {
    let undos = member.writes(of: .disputed).filter { $0.value == .boolean(true) }
    guard undos.contains(where: { observers(of: $0.key, among: settlers) == 0 }) else { return nil }
    let others = member.deletes.filter { delete in
      !undos.contains { $0.key.log == delete.key.log }
    }
    guard let delete = causality.latest(others.isEmpty ? member.deletes : others, count: 1).first
    else { return nil }
    let givers = member.lifeGivers.filter { $0.key.log != delete.key.log }
    guard let giver = causality.latest(givers, count: 1).first else { return nil }
    return Pair(member: member.key, delete: delete, giver: giver, isReopened: true)
  }

  /// The observers that have seen an event, as a bit set.
  private func observers(of event: EventKey, among observers: [EventKey]) -> UInt64 {
    observers.enumerated().reduce(0) { bits, observer in
      causality.past(of: observer.element, includes: event) ? bits | 1 << observer.offset : bits
    }
  }
}
