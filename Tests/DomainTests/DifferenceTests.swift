import Bytes
import Domain
import TestDice
import Testing

/// The differences between two times in random histories, by the fold and by plain definitions.
struct DifferenceTests {
  private static let seeds: Range<UInt64> = 0..<250

  /// The content of a difference, by the entity that identifies each shown record.
  private struct Told: Equatable {
    var came: Set<EventKey> = []
    var went: [EventKey: String] = [:]
    var changed: [EventKey: Set<Field>] = [:]
  }

  private static func told(_ difference: Difference) -> Told {
    var told = Told(came: Set(difference.came.map(\.key)))
    for departure in difference.went {
      told.went[departure.document.key] =
        switch departure.reason {
        case .deleted: "deleted"
        case .hidden: "hidden"
        case .joined: "joined"
        case .notAdded: "not added"
        }
    }
    // Views contain no conflicts with deletions. The tests of the command cover these.
    for change in difference.changed where !change.fields.isEmpty {
      told.changed[change.later.key] = Set(change.fields.map(\.field))
    }
    return told
  }

  /// The views at a given time, according to the plain definitions.
  private static func views(_ history: History, at moment: Int64) -> [View] {
    var past = history
    past.facts.removeAll { $0.effectiveTime > moment }
    return Oracle(past).views()
  }

  private static func isShown(_ view: View, among views: [View]) -> Bool {
    let parentField: Field? =
      switch view.kind {
      case .choice, .pick: .owner
      case .todo: Field.Todo.list
      default: nil
      }
    guard view.isAlive, Schema.schema(of: view.kind) != nil else { return false }
    if view.isOccurrence {
      let series = view.reference(.owner).flatMap { owner in
        views.first { $0.key == owner || $0.members.contains(owner) }
      }
      return series.map {
        $0.kind == .todo && !$0.isOccurrence && isShown($0, among: views)
      } ?? false
    }
    guard let parentField else { return true }
    guard let parent = view.reference(parentField) else { return view.kind == .todo }
    return views.first { $0.members.contains(parent) }?.isAlive ?? false
  }

  private static func values(_ view: View, _ field: FieldSchema) -> [Value] {
    let values = view.entries.first { $0.field == field.field }?.values ?? []
    return (values.isEmpty ? [.null] : field.isQuiet ? [values[0]] : values)
      .map { $0 == .null ? field.valueWhenAbsent : $0 }
  }

  private static func naive(_ before: [View], _ after: [View]) -> Told {
    let old = before.filter { isShown($0, among: before) }
    let new = after.filter { isShown($0, among: after) }
    var told = Told()
    for view in old where !new.contains(where: { $0.key == view.key }) {
      let now = after.first { $0.key == view.key || $0.members.contains(view.key) }
      let isShownNow = now.map { isShown($0, among: after) } ?? false
      told.went[view.key] =
        now == nil
        ? "not added" : now?.isAlive == false ? "deleted" : isShownNow ? "joined" : "hidden"
    }
    for view in new {
      guard let former = old.first(where: { $0.key == view.key }) else {
        told.came.insert(view.key)
        continue
      }
      let fields = (Schema.schema(of: view.kind)?.fields ?? []).filter {
        values(former, $0) != values(view, $0)
      }
      if !fields.isEmpty { told.changed[view.key] = Set(fields.map(\.field)) }
    }
    return told
  }

  @Test func `Difference: it matches a plain comparison of the views at two times`() {
    var (came, went, changed) = (0, Set<String>(), 0)
    for seed in Self.seeds {
      let history = RandomHistory.make(seed: seed, steps: 20 + Int(seed % 40))
      var dice = Dice(seed: seed)
      let times = history.facts.map(\.effectiveTime)
      guard let one = dice.pick(times), let other = dice.pick(times) else { continue }
      let causality = history.causality
      let states = [one, other].map { moment in
        Records.fold(
          history.facts.filter { $0.effectiveTime <= moment }, causality: causality)
      }
      let told = Self.told(Difference(from: states[0], to: states[1]))
      let naive = Self.naive(Self.views(history, at: one), Self.views(history, at: other))
      guard told == naive else {
        Issue.record("seed \(seed): \(told) and not \(naive)")
        return
      }
      came += told.came.count
      went.formUnion(told.went.values)
      changed += told.changed.count
    }
    #expect(came > 100 && changed > 20)
    #expect(went == ["deleted", "hidden", "joined", "not added"])
  }

  @Test func `Difference: it is empty between a state and itself`() {
    for seed in Self.seeds.prefix(20) {
      let records = RandomHistory.make(seed: seed, steps: 30).folded()
      #expect(Difference(from: records, to: records).isEmpty)
    }
  }
}
