import Domain
import TestDice
import Testing

/// Random histories of a series on two to four devices, whose clocks are days apart.
@Suite struct SeriesModelTests {
  typealias Event = SeriesModel.Event

  /// The devices of one history, and the events that each of them knows.
  private struct Devices {
    var dice: Dice
    var known: [[Int: Event]]
    var clocks: [Int]
    var count = 1
    var time = 1

    init(seed: UInt64) {
      var dice = Dice(seed: seed)
      // 2026-11-01.
      let anchor = 20_758
      let rule = dice.number(SeriesModel.rules.count)
      let first = Event(
        id: 0, time: 0, seen: [], deed: .series, fields: [.anchor: anchor, .rule: rule])
      let devices = 2 + dice.number(3)
      known = Array(repeating: [0: first], count: devices)
      clocks = (0..<devices).map { _ in anchor - 3 + dice.number(20) }
      self.dice = dice
    }

    func model(_ device: Int) -> SeriesModel { SeriesModel(Array(known[device].values)) }

    mutating func write(
      _ device: Int, _ deed: SeriesModel.Deed, _ fields: [SeriesModel.Field: Int?] = [:]
    ) {
      known[device][count] = Event(
        id: count, time: time, seen: Set(known[device].keys), deed: deed, fields: fields)
      count += 1
    }

    /// Writes fields to an occurrence, and adds it if it does not exist.
    mutating func write(_ device: Int, to slot: CivilDate, _ fields: [SeriesModel.Field: Int?]) {
      let model = model(device)
      guard !model.members(of: slot).isEmpty else { return write(device, .add(slot: slot), fields) }
      var writes: [Int: [SeriesModel.Field: Int?]] = [:]
      for (field, value) in fields {
        for member in model.targets(field, of: slot) {
          writes[member, default: [:]].updateValue(value, forKey: field)
        }
      }
      for (member, fields) in writes.sorted(by: { $0.key < $1.key }) {
        write(device, .edit(member: member), fields)
      }
    }
  }

  /// Performs one random command, and checks its result.
  private func act(_ devices: inout Devices) throws {
    let device = devices.dice.number(devices.known.count)
    devices.time += devices.dice.number(2)
    devices.clocks[device] += devices.dice.number(3)
    let today = devices.clocks[device]
    let state = try #require(try devices.model(device).state())
    switch devices.dice.number(12) {
    case 0...3:
      guard let current = state.current else { return }
      let field: SeriesModel.Field = devices.dice.chance(70) ? .done : .cancelled
      devices.write(device, to: current.slot, [field: 1, .closedOn: today])
      let after = try #require(try devices.model(device).state())
      #expect(after.stored.first { $0.slot == current.slot }?.closing != nil)
      #expect(after.current?.slot != current.slot)
    case 4:
      guard let last = state.latestClosed else { return }
      devices.write(device, to: last.slot, [.done: 0, .cancelled: nil, .closedOn: nil])
    case 5:
      // Undo of an add.
      let adds = devices.known[device].values.filter {
        if case .add = $0.deed { true } else { false }
      }
      guard let add = devices.dice.pick(adds.sorted { $0.id < $1.id }) else { return }
      devices.write(device, .delete(member: add.id))
    case 6:
      guard let current = state.current else { return }
      devices.write(device, to: current.slot, [.due: today + devices.dice.number(9)])
    case 7 where devices.dice.chance(50):
      let anchor = (state.current?.due ?? state.series.due).epochDay ?? today
      let rule = devices.dice.number(SeriesModel.rules.count)
      devices.write(device, .series, [.anchor: anchor, .rule: rule])
    case 8 where devices.dice.chance(30):
      devices.write(device, .series, [.until: state.current?.slot.epochDay ?? today])
    default:
      let other = devices.dice.number(devices.known.count)
      devices.known[device].merge(devices.known[other]) { own, _ in own }
    }
  }

  /// Checks the invariants of each device at each time.
  private func check(_ events: [Event], _ dice: inout Dice) throws {
    let state = try #require(try SeriesModel(events).state())
    let other = try #require(try SeriesModel(events.shuffled(using: &dice)).state())
    #expect(other.current == state.current)
    #expect(other.stored.map(\.closing) == state.stored.map(\.closing))

    let closed = Set(state.stored.filter { $0.closing != nil }.map(\.slot))
    let open = Set(state.stored.filter { $0.closing == nil }.map(\.slot))
    #expect(closed.count + open.count == state.stored.count)
    #expect(state.current?.slot == (open.union([state.next].compactMap(\.self))).min())
    #expect(state.current.map { !closed.contains($0.slot) } ?? true)
    if let next = state.next {
      #expect(!closed.contains(next))
      #expect(state.series.rule.keepsMissed || closed.allSatisfy { $0 < next })
    }

    // A completion stays unless a device that knew of it reopened or deleted its occurrence.
    let slots = Dictionary(
      uniqueKeysWithValues: events.compactMap { event -> (Int, CivilDate)? in
        if case .add(let slot) = event.deed { (event.id, slot) } else { nil }
      })
    for event in events where event.completes {
      let slot = event.member.flatMap { slots[$0] }
      let isUndone = events.contains { later in
        later.seen.contains(event.id) && later.member.flatMap { slots[$0] } == slot
          && !later.completes && (later.isDelete || later.fields.keys.contains(.closedOn))
      }
      #expect(isUndone || slot.map(closed.contains) ?? false)
    }
  }

  @Test(arguments: UInt64(1)...120)
  func `Series model: devices agree, show at most one occurrence, and lose no completion`(
    seed: UInt64
  ) throws {
    var devices = Devices(seed: seed)
    for _ in 0..<24 {
      try act(&devices)
      let device = devices.dice.number(devices.known.count)
      let events = devices.known[device].values.sorted { $0.id < $1.id }
      try check(events, &devices.dice)
    }
    let all = devices.known.reduce(into: [:]) { all, known in all.merge(known) { own, _ in own } }
    try check(all.values.sorted { $0.id < $1.id }, &devices.dice)
  }
}
