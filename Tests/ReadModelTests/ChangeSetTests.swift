import ReadModel
import TestDice
import Testing

/// A row with only an id and a shown value.
struct PlainRow: KeyedRow {
  let rowID: Int
  var shows = 0
}

struct ChangeSetTests {
  typealias Result = [RowSection<PlainRow>]
  typealias Step = ChangeSet<PlainRow>.Step

  private static func section(_ number: Int) -> SectionKey { SectionKey(rank: Int64(number)) }

  private static func rows(_ ids: Int...) -> [PlainRow] { ids.map { PlainRow(rowID: $0) } }

  /// Rows of the given sections, in any order.
  private static func random(
    _ ids: Range<Int>, sections: Int, showing: Int, _ dice: inout Dice
  ) -> Result {
    let share = dice.number(101)
    let rows = ids.filter { _ in dice.chance(share) }.shuffled(using: &dice)
      .map { PlainRow(rowID: $0, shows: dice.number(showing)) }
    return .sections(of: rows) { _ in section(dice.number(sections)) }
  }

  /// The same rows after deletions, insertions, moves and changes.
  private static func disturbed(_ result: Result, by count: Int, _ dice: inout Dice) -> Result {
    var rows = result.flatMap { section in section.rows.map { (section.key, $0) } }
    for _ in 0..<count where !rows.isEmpty {
      let place = dice.number(rows.count)
      switch dice.number(4) {
      case 0: rows.remove(at: place)
      case 1:
        let row = PlainRow(rowID: 1_000 + dice.number(1_000_000))
        if !rows.contains(where: { $0.1.rowID == row.rowID }) {
          rows.insert((rows[place].0, row), at: dice.number(rows.count + 1))
        }
      case 2: rows[place].1.shows += 1
      default: rows.insert(rows.remove(at: place), at: dice.number(rows.count))
      }
    }
    let keys = Dictionary(uniqueKeysWithValues: rows.map { ($0.1.rowID, $0.0) })
    return .sections(of: rows.map(\.1)) { keys[$0.rowID] ?? .undivided }
  }

  /// The greatest number of rows that can stay in place, found by trying all in quadratic time.
  private static func staying(_ old: Result, _ new: Result) -> Int {
    var places: [Int: (key: SectionKey, index: Int)] = [:]
    var index = 0
    for section in old {
      for row in section.rows {
        places[row.rowID] = (section.key, index)
        index += 1
      }
    }
    var lengths: [(index: Int, length: Int)] = []
    for section in new {
      for row in section.rows {
        guard let place = places[row.rowID], place.key == section.key else { continue }
        let before = lengths.filter { $0.index < place.index }.map(\.length).max() ?? 0
        lengths.append((place.index, before + 1))
      }
    }
    return lengths.map(\.length).max() ?? 0
  }

  /// Checks all properties of change sets.
  private func check(_ old: Result, _ new: Result, _ place: String) {
    let changes = ChangeSet(from: old, to: new)
    var built = old
    changes.apply(to: &built)
    #expect(built == new, "\(place)")

    let expected = Accounts(old, new)
    let found = Accounts(changes, old, new)
    #expect(found.deleted == expected.deleted, "\(place)")
    #expect(found.inserted == expected.inserted, "\(place)")
    #expect(found.changed == expected.changed, "\(place)")
    #expect(found.sectionsGone == expected.sectionsGone, "\(place)")
    #expect(found.sectionsCome == expected.sectionsCome, "\(place)")
    #expect(found.moved == expected.kept - Self.staying(old, new), "\(place)")
    #expect(found.faults == [], "\(place)")
    #expect(changes.isEmpty == (old == new), "\(place)")
  }

  @Test func `Change set: its steps turn any result into any other and are minimal`() {
    for seed in 0..<1_500 {
      var dice = Dice(seed: UInt64(seed))
      let (count, sections) = (dice.number(40), 1 + dice.number(5))
      let old = Self.random(0..<count, sections: sections, showing: 2, &dice)
      let new = Self.random(0..<count, sections: sections, showing: 2, &dice)
      check(old, new, "seed \(seed)")
    }
  }

  @Test func `Change set: a long result with few changes has few steps`() {
    for seed in 0..<60 {
      var dice = Dice(seed: UInt64(seed))
      let old = Self.random(0..<400, sections: 1 + dice.number(6), showing: 1, &dice)
      let count = 1 + dice.number(8)
      let new = Self.disturbed(old, by: count, &dice)
      check(old, new, "seed \(seed)")
      #expect(ChangeSet(from: old, to: new).steps.count <= 2 * count + 2 + 12, "seed \(seed)")
    }
  }

  @Test func `Change set: deletions have old positions, and insertions have new ones`() {
    let old: Result = [
      RowSection(Self.section(1), Self.rows(1, 2, 3)), RowSection(Self.section(2), Self.rows(4)),
    ]
    var two = PlainRow(rowID: 2)
    two.shows = 7
    var four = PlainRow(rowID: 4)
    four.shows = 8
    let new: Result = [
      RowSection(Self.section(0), [PlainRow(rowID: 9), four]),
      RowSection(Self.section(1), [PlainRow(rowID: 3), two]),
    ]
    let steps: [Step] = [
      .begin(sections: 2, rows: 4), .delete(RowPlace(0, 0), 1),
      .deleteSection(1, Self.section(2)), .insertSection(0, Self.section(0)),
      .insert(RowPlace(0, 0), PlainRow(rowID: 9)),
      .move(from: RowPlace(1, 0), to: RowPlace(0, 1), four, isChanged: true),
      .move(from: RowPlace(0, 2), to: RowPlace(1, 0), PlainRow(rowID: 3), isChanged: false),
      .update(from: RowPlace(0, 1), to: RowPlace(1, 1), two), .end(sections: 2, rows: 4),
    ]
    #expect(ChangeSet(from: old, to: new).steps == steps)
  }

  @Test func `Change set: equal results have no steps`() {
    let result: Result = [RowSection(.undivided, Self.rows(3, 1, 2))]
    let steps: [Step] = [.begin(sections: 1, rows: 3), .end(sections: 1, rows: 3)]
    let changes = ChangeSet(from: result, to: result)
    #expect(changes.steps == steps)
    #expect(changes.isEmpty)
  }

  @Test func `Change set: sections are sorted and keep the order of their rows`() {
    let rows = Self.rows(5, 2, 4, 1, 3)
    let sections: Result = .sections(of: rows) { Self.section(-($0.rowID % 2)) }
    let expected: Result = [
      RowSection(Self.section(-1), Self.rows(5, 1, 3)),
      RowSection(Self.section(0), Self.rows(2, 4)),
    ]
    #expect(sections == expected)
  }
}

/// The changes between two results, either as expected or as the steps give them.
private struct Accounts {
  var deleted: Set<Int> = []
  var inserted: Set<Int> = []
  /// Rows with a changed value, whether they moved or not.
  var changed: Set<Int> = []
  var sectionsGone: Set<SectionKey> = []
  var sectionsCome: Set<SectionKey> = []
  var kept = 0
  var moved = 0
  /// Steps that break the rules.
  var faults: [String] = []

  init(_ old: ChangeSetTests.Result, _ new: ChangeSetTests.Result) {
    let (before, after) = (old.flatMap(\.rows), new.flatMap(\.rows))
    let shown = Dictionary(uniqueKeysWithValues: before.map { ($0.rowID, $0.shows) })
    inserted = Set(after.map(\.rowID)).subtracting(shown.keys)
    deleted = Set(shown.keys).subtracting(after.map(\.rowID))
    let remaining = after.filter { shown[$0.rowID] != nil }
    changed = Set(remaining.filter { shown[$0.rowID] != $0.shows }.map(\.rowID))
    kept = remaining.count
    sectionsGone = Set(old.map(\.key)).subtracting(new.map(\.key))
    sectionsCome = Set(new.map(\.key)).subtracting(old.map(\.key))
  }

  init(
    _ changes: ChangeSet<PlainRow>, _ old: ChangeSetTests.Result, _ new: ChangeSetTests.Result
  ) {
    var told: Set<Int> = []
    var order: [[Int]] = []
    func row(_ result: ChangeSetTests.Result, _ place: RowPlace) -> PlainRow {
      result[place.section].rows[place.row]
    }
    for step in changes.steps {
      var id: Int?
      switch step {
      case .begin(let sections, let rows):
        order.append([1])
        let isTrue = sections == old.count && rows == old.flatMap(\.rows).count
        if !isTrue { faults.append("\(step)") }
      case .delete(let place, let gone):
        order.append([2, -place.section, -place.row])
        if row(old, place).rowID != gone { faults.append("\(step)") }
        deleted.insert(gone)
        id = gone
      case .deleteSection(let number, let key):
        order.append([3, -number])
        if old[number].key != key { faults.append("\(step)") }
        sectionsGone.insert(key)
      case .insertSection(let number, let key):
        order.append([4, number])
        if new[number].key != key { faults.append("\(step)") }
        sectionsCome.insert(key)
      case .insert(let place, let arrived):
        order.append([5, place.section, place.row])
        if row(new, place) != arrived { faults.append("\(step)") }
        inserted.insert(arrived.rowID)
        id = arrived.rowID
      case .move(let from, let to, let arrived, let isChanged):
        order.append([5, to.section, to.row])
        let left = row(old, from)
        let isTrue =
          row(new, to) == arrived && left.rowID == arrived.rowID
          && isChanged == (left != arrived)
        if !isTrue { faults.append("\(step)") }
        if isChanged { changed.insert(arrived.rowID) }
        moved += 1
        id = arrived.rowID
      case .update(let from, let to, let arrived):
        order.append([6, to.section, to.row])
        let isTrue = row(new, to) == arrived && row(old, from).rowID == arrived.rowID
        if !isTrue { faults.append("\(step)") }
        changed.insert(arrived.rowID)
        id = arrived.rowID
      case .end(let sections, let rows):
        order.append([7])
        let isTrue = sections == new.count && rows == new.flatMap(\.rows).count
        if !isTrue { faults.append("\(step)") }
      }
      if let id, !told.insert(id).inserted { faults.append("told twice: \(id)") }
    }
    let isOrdered = zip(order, order.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
    if !isOrdered { faults.append("the steps are not in their order") }
  }
}
