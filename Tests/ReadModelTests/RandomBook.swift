import Bytes
import Domain
import ReadModel
import TestDice
import Testing

/// The logs of a few devices that write at random and sometimes fold the events of others.
struct RandomBook {
  /// 1815-12-10, --02-29 and 1985.
  private static let dates: [Int64] = [929_674, 93, 1_016_320]
  /// Four days in a row.
  private static let days = (0..<4).compactMap { CivilDate(epochDay: 20_758 + $0)?.packed }
  private static let rules = [
    "FREQ=DAILY", "FREQ=DAILY;COUNT=2", "FREQ=DAILY;MISSED=KEEP", "FREQ=DAILY;FROM=START", "FREQ",
  ]

  var dice: Dice
  let hasHoles: Bool
  var logs: [[Fact]] = []
  private(set) var identities: [Causality.LogIdentity] = []
  private(set) var seen: [Sighting] = []
  private var held: [[UInt64]] = []
  private var clocks: [Int64] = []

  /// Creates the logs.
  ///
  /// - Parameters:
  ///   - seed: The seed of the random choices.
  ///   - hasHoles: Whether devices miss events of others.
  ///   - hasTwins: Whether the first two logs are branches that begin with the same events. Entities that these add
  ///     have the same ids.
  ///   - steps: The number of events after that.
  init(seed: UInt64, hasHoles: Bool, hasTwins: Bool = false, steps: Int) {
    dice = Dice(seed: seed)
    self.hasHoles = hasHoles
    let count = 2 + Int(seed % 5)
    for _ in 0..<count {
      let id = dice.id()
      identities.append(.init(id: id, replica: id))
      logs.append([])
      held.append(Array(repeating: 0, count: count))
      // One clock in five is wrong, by up to 40 years.
      let years = dice.chance(20) ? dice.number(81) - 40 : 0
      clocks.append(Int64(dice.number(300)) + Int64(years) * 31_557_600_000)
    }
    if hasTwins { addTwins() }
    for _ in 0..<steps { step() }
  }

  private mutating func addTwins() {
    identities[1] = .init(id: identities[1].id, replica: identities[0].replica)
    clocks[1] = clocks[0]
    for sequence in 1...UInt64(2 + dice.number(4)) {
      let kind = Kind(rawValue: UInt64(dice.pick([1, 2, 2]) ?? 0))
      let (hash, body) = (dice.id(), Body(.add, .kind(kind), writes([], isAdd: true)))
      for log in 0...1 {
        logs[log].append(
          Fact(
            key: EventKey(log: UInt32(log), sequence: sequence), time: clocks[log], when: nil,
            hash: hash, body: body))
      }
    }
  }

  private mutating func step() {
    let device = dice.number(logs.count)
    var note: [Sighting] = []
    let next = EventKey(log: UInt32(device), sequence: UInt64(logs[device].count + 1))
    for other in logs.indices where other != device && dice.chance(30) {
      let upTo = UInt64(logs[other].count)
      guard upTo > held[device][other] else { continue }
      let isHoley = hasHoles && dice.chance(10)
      held[device][other] = upTo
      note.append(
        Sighting(
          event: next, other: UInt32(other), upTo: upTo, exceptions: isHoley ? [upTo...upTo] : []))
    }
    seen += note
    clocks[device] += Int64(dice.number(40))
    let fact = Fact(
      key: next, time: clocks[device], when: dice.chance(10) ? Int64(dice.number(300)) : nil,
      hash: dice.id(), body: body(on: device))
    logs[device].append(fact)
  }

  private mutating func body(on device: Int) -> Body {
    let known = logs.indices.flatMap { log in
      log == device ? logs[log] : Array(logs[log].prefix(Int(held[device][log])))
    }
    let adds = known.filter { $0.body.verb == .add }.map(\.key)
    let aliases = known.filter { $0.body.verb == .alias }.map(\.key)
    let wild = EventKey(log: UInt32(dice.number(logs.count)), sequence: UInt64(1 + dice.number(30)))
    let entity = dice.chance(4) ? wild : dice.pick(adds) ?? wild
    switch dice.number(adds.count > 12 ? 140 : 100) {
    case ..<8: return Body(.add, .kind(.todo), repeating(adds))
    case ..<40:
      let kind = Kind(rawValue: UInt64(dice.pick([0, 1, 2, 2, 3, 4, 4, 5, 77]) ?? 0))
      return Body(.add, .kind(kind), writes(adds, isAdd: true))
    case ..<48:
      return Body(.alias, .entity(entity), [Write(.with, .reference(dice.pick(adds) ?? wild))])
    case ..<52: return Body(.delete, .entity(dice.pick(aliases) ?? entity))
    case ..<55: return Body(.restore, .entity(dice.pick(aliases) ?? entity))
    case ..<70: return Body(.delete, .entity(entity))
    case ..<76: return Body(.restore, .entity(entity))
    case ..<84: return Body(.edit, .entity(entity), repeating(adds).filter { $0.field != .owner })
    default: return Body(.edit, .entity(entity), writes(adds, isAdd: false))
    }
  }

  /// The writes of a to-do that is likely to repeat, or to be an occurrence or a sub-task of a repeating to-do.
  private mutating func repeating(_ known: [EventKey]) -> [Write] {
    let day = Value.integer(dice.pick(Self.days) ?? 0)
    var writes: [Write] = []
    switch dice.number(3) {
    case 0:
      writes = [
        Write(Field.Todo.title, .text(dice.pick(["b", "c"]) ?? "")), Write(Field.Todo.due, day),
        Write(Field.Todo.repeat, .text(dice.pick(Self.rules) ?? "")),
      ]
      if dice.chance(40) {
        writes.append(Write(Field.Todo.start, .integer(dice.pick(Self.days) ?? 0)))
      }
    case 1:
      // Few sources, so that occurrences of several devices are joined.
      let source = Source(importer: Source.seriesImporter, uidText: dice.pick(["x", "y"]) ?? "")
      if dice.chance(60) { writes.append(Write(.source, source.value)) }
      if let owner = dice.pick(known) { writes.append(Write(.owner, .reference(owner))) }
      writes.append(Write(Field.Todo.slot, day))
      if dice.chance(60) {
        writes.append(Write(Field.Todo.done, .boolean(dice.chance(80))))
        writes.append(Write(Field.Todo.closedOn, day))
      }
      if dice.chance(30) { writes.append(Write(Field.Todo.cancelled, .boolean(dice.chance(80)))) }
      if dice.chance(30) { writes.append(Write(Field.Todo.due, day)) }
      if dice.chance(30) {
        writes.append(Write(Field.Todo.title, .text(dice.pick(["b", "c"]) ?? "")))
      }
      if dice.chance(30), let parent = dice.pick(known) {
        writes.append(Write(Field.Todo.parent, .reference(parent)))
      }
    default:
      if let parent = dice.pick(known) {
        writes.append(Write(Field.Todo.parent, .reference(parent)))
      }
      if dice.chance(20), let list = dice.pick(known) {
        writes.append(Write(Field.Todo.list, .reference(list)))
      }
      if dice.chance(30) { writes.append(Write(Field.Todo.repeat, .null)) }
      if dice.chance(30) { writes.append(Write(Field.Todo.start, day)) }
    }
    return writes.sorted { $0.field < $1.field }
  }

  private mutating func writes(_ known: [EventKey], isAdd: Bool) -> [Write] {
    var writes: [Write] = []
    if isAdd, dice.chance(20) {
      writes.append(
        Write(.source, Source(importer: 3, uidText: dice.pick(["a", "b"]) ?? "").value))
    }
    if isAdd, dice.chance(60), let owner = dice.pick(known) {
      writes.append(Write(.owner, .reference(owner)))
    }
    for _ in 0..<dice.number(5) {
      writes.append(Write(Field(rawValue: Int64(2 + dice.number(11))), value(known)))
    }
    return writes
  }

  private mutating func value(_ known: [EventKey]) -> Value {
    switch dice.number(11) {
    case 0: .null
    case 1, 2, 3: .text(dice.pick(["Zoë", "zoe", "Ａ", "b\u{301}", ""]) ?? "")
    case 4: .integer(Int64(dice.number(3)))
    case 5: .boolean(dice.chance(50))
    case 6: .texts(["x", "\u{FF21}"])
    case 7: .integer(dice.pick(Self.dates) ?? 0)
    case 8: .other([0xA1, 0x61, 0x6B, 0x61, 0x76])
    default: .reference(dice.pick(known) ?? EventKey(log: 9, sequence: .max))
    }
  }
}

extension RandomBook {
  /// The causality after a fold of the first events of each log.
  func causality(upTo counts: [Int]) -> Causality {
    var causality = Causality()
    for log in identities { _ = causality.number(of: log.id, replica: log.replica) }
    for sighting in seen(upTo: counts) { causality.note(sighting) }
    return causality
  }

  func seen(from: [Int]? = nil, upTo counts: [Int]) -> [Sighting] {
    seen.filter {
      let log = Int($0.event.log)
      return Int($0.event.sequence) > from?[log] ?? 0 && Int($0.event.sequence) <= counts[log]
    }
  }

  func positions(upTo counts: [Int]) -> [LogPosition] {
    identities.indices.map { log in
      let hash = counts[log] > 0 ? logs[log][counts[log] - 1].hash : UniqueID(high: 0, low: 0)
      return LogPosition(
        number: UInt32(log), id: identities[log].id, replica: identities[log].replica,
        sequence: UInt64(counts[log]), hash: hash)
    }
  }

  func facts(from: [Int]? = nil, upTo counts: [Int]) -> [Fact] {
    logs.indices.flatMap { logs[$0][(from?[$0] ?? 0)..<counts[$0]] }
  }

  func change(from: [Int]? = nil, upTo counts: [Int]) -> Change {
    Change(
      positions: positions(upTo: counts), seen: seen(from: from, upTo: counts),
      settings: ["count": [UInt8(truncatingIfNeeded: counts.reduce(0, +))]])
  }

  /// Tables built in one step from the first events of each log.
  func built(upTo counts: [Int]) throws(ReadModelError) -> ReadModel {
    let records = Records.fold(facts(upTo: counts), causality: causality(upTo: counts))
    return try ReadModel.inMemory(from: records, change: change(upTo: counts))
  }

  /// Applies new events to tables as a caller would: incrementally if possible, and otherwise by a new fold.
  func advanced(_ model: ReadModel, from: [Int], to next: [Int]) throws -> ReadModel {
    let facts = facts(from: from, upTo: next).reversed()
    do {
      var hydrated = try model.records.hydrate(Array(facts), causality: causality(upTo: next))
      for fact in facts { hydrated.records.apply(fact) }
      try model.writer.commit(&hydrated, change: change(from: from, upTo: next))
      return model
    } catch ReadModelError.needsRefold {
      #expect(hasHoles)
      return try built(upTo: next)
    }
  }
}
