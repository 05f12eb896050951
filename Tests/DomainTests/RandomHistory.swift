import Bytes
import Domain
import TestDice

/// Writes histories as devices would.
///
/// Each device folds the events that it has received, and its events refer to the newly folded events.
struct RandomHistory {
  /// The part of one log that a device holds.
  private struct Holding: Equatable {
    var upTo: UInt64 = 0
    var missing: Set<UInt64> = []
  }

  private struct Device {
    /// The log that the device writes, which is a new log after each fork.
    var log: Int
    var clock: Int64
    var holdings: [Holding]
    var noted: [Holding]
  }

  private var dice: Dice
  private var devices: [Device] = []
  private var logs: [[Fact]] = []
  /// The first sequence of each log.
  private var firsts: [UInt64] = []
  private var history = History()
  private let holePercent: Int
  private let forkPercent: Int

  static func make(seed: UInt64, steps: Int) -> History {
    var maker = RandomHistory(seed: seed)
    for _ in 0..<steps { maker.step() }
    return maker.history
  }

  private init(seed: UInt64) {
    dice = Dice(seed: seed)
    holePercent = [0, 5, 30][Int(seed % 3)]
    forkPercent = [0, 12, 0, 25][Int(seed % 4)]
    let count = 2 + dice.number(5)
    for log in 0..<count {
      let id = dice.id()
      // Occasionally, two logs are branches of one log, written by the same replica.
      let replica = dice.chance(15) ? history.logs.last?.replica ?? id : id
      history.logs.append(Causality.LogIdentity(id: id, replica: replica))
      let empty = Array(repeating: Holding(), count: count)
      devices.append(
        Device(
          log: log, clock: Int64(dice.number(4) * 50) + Self.skew(&dice), holdings: empty,
          noted: empty))
    }
    logs = Array(repeating: [], count: count)
    firsts = Array(repeating: 1, count: count)
  }

  /// The error of a clock.
  ///
  /// Most clocks are right, and some are wrong by up to 40 years.
  private static func skew(_ dice: inout Dice) -> Int64 {
    let year: Int64 = 31_557_600_000
    return dice.chance(20) ? Int64(dice.number(81) - 40) * year : 0
  }

  private mutating func step() {
    let device = dice.number(devices.count)
    if dice.chance(40) {
      receive(device, from: dice.number(devices.count))
    } else if dice.chance(forkPercent), devices.count < 12 {
      fork(device, into: 2 + dice.number(2))
    } else {
      for _ in 0...dice.number(3) { write(device) }
    }
  }

  /// Copies a device.
  ///
  /// The device and its copies write branches of its log.
  private mutating func fork(_ device: Int, into count: Int) {
    let trunk = devices[device].log
    guard !logs[trunk].isEmpty else { return }
    for copy in 0..<count {
      let replica = history.logs[trunk].replica
      history.logs.append(
        Causality.LogIdentity(id: dice.id(), replica: replica, trunk: UInt32(trunk)))
      firsts.append(last(of: trunk) + 1)
      logs.append([])
      if copy > 0 { devices.append(devices[device]) }
      let place = copy > 0 ? devices.count - 1 : device
      devices[place].log = logs.count - 1
    }
    for device in devices.indices {
      while devices[device].holdings.count < logs.count {
        devices[device].holdings.append(Holding())
        devices[device].noted.append(Holding())
      }
    }
  }

  private func last(of log: Int) -> UInt64 { firsts[log] + UInt64(logs[log].count) - 1 }

  /// The log that a device writes, and all its trunks.
  private func path(of device: Int) -> Set<Int> {
    var path: Set = [devices[device].log]
    var log = devices[device].log
    while let trunk = history.logs[log].trunk {
      log = Int(trunk)
      path.insert(log)
    }
    return path
  }

  /// Gives a device a prefix of each log that another device has, sometimes with holes.
  private mutating func receive(_ receiver: Int, from sender: Int) {
    guard receiver != sender else { return }
    let (ours, theirs) = (path(of: receiver), path(of: sender))
    for log in logs.indices where !ours.contains(log) && dice.chance(80) {
      let given =
        theirs.contains(log) ? Holding(upTo: last(of: log)) : devices[sender].holdings[log]
      var held = devices[receiver].holdings[log]
      held.missing.formIntersection(
        held.missing.filter { $0 > given.upTo || given.missing.contains($0) || dice.chance(30) })
      if given.upTo > held.upTo {
        for sequence in held.upTo + 1...given.upTo
        where given.missing.contains(sequence) || dice.chance(holePercent) {
          held.missing.insert(sequence)
        }
        held.upTo = given.upTo
      }
      devices[receiver].holdings[log] = held
    }
  }

  private mutating func write(_ device: Int) {
    let log = devices[device].log
    let key = EventKey(log: UInt32(log), sequence: last(of: log) + 1)
    let path = path(of: device)
    for other in logs.indices where !path.contains(other) {
      let holding = devices[device].holdings[other]
      guard holding != devices[device].noted[other], holding.upTo > 0 else { continue }
      devices[device].noted[other] = holding
      history.notes.append(
        Note(
          event: key, other: UInt32(other), upTo: holding.upTo,
          except: holding.missing.sorted().map { $0...$0 }))
    }
    devices[device].clock += Int64(dice.number(3) * dice.number(20))
    let clock = devices[device].clock
    let fact = Fact(
      key: key, time: clock, when: dice.chance(10) ? Int64(dice.number(200)) : nil, hash: dice.id(),
      body: body(known: known(to: device)))
    logs[log].append(fact)
    history.facts.append(fact)
  }

  private func known(to device: Int) -> [Fact] {
    let path = path(of: device)
    return logs.indices.flatMap { log in
      let holding = devices[device].holdings[log]
      return logs[log].filter { fact in
        path.contains(log)
          || fact.key.sequence <= holding.upTo && !holding.missing.contains(fact.key.sequence)
      }
    }
  }
}

extension RandomHistory {
  private mutating func body(known: [Fact]) -> Body {
    let adds = known.filter { $0.body.verb == .add }.map(\.key)
    let aliases = known.filter { $0.body.verb == .alias }.map(\.key)
    // References to arbitrary events must be harmless.
    let wild = EventKey(log: UInt32(dice.number(logs.count)), sequence: UInt64(dice.number(20)))
    let entity = dice.chance(2) ? wild : pick(adds) ?? wild
    // A few entities with many writes test more than many entities with few writes.
    switch adds.count > 4 && dice.chance(80) ? 30 + dice.number(70) : dice.number(100) {
    case ..<30: return Body(.add, .kind(kind()), writes(adds, isAdd: true))
    case ..<58: return Body(.edit, .entity(entity), writes(adds, isAdd: dice.chance(3)))
    case ..<70: return Body(.delete, .entity(entity))
    case ..<77: return Body(.restore, .entity(entity))
    case ..<87:
      return Body(.alias, .entity(entity), [Write(.with, .reference(pick(adds) ?? wild))])
    case ..<92: return Body(.delete, .entity(pick(aliases) ?? entity))
    case ..<95: return Body(.restore, .entity(pick(aliases) ?? entity))
    case ..<99: return Body(.edit, .entity(entity), [Write(Field.Todo.done, .boolean(true))])
    default: return Body(.edit, .entity(pick(aliases) ?? wild), writes(adds, isAdd: false))
    }
  }

  private mutating func kind() -> Kind {
    [.todo, .todo, .list, .question, .choice, Kind(rawValue: 77)][dice.number(6)]
  }

  private mutating func pick(_ keys: [EventKey]) -> EventKey? {
    keys.isEmpty ? nil : keys[dice.number(keys.count)]
  }

  private mutating func writes(_ known: [EventKey], isAdd: Bool) -> [Write] {
    var writes: [Write] = []
    if isAdd, dice.chance(25) {
      writes.append(Write(.source, Source(uidText: ["one", "two"][dice.number(2)]).value))
    }
    if isAdd, dice.chance(30), let owner = pick(known) {
      writes.append(Write(.owner, .reference(owner)))
    }
    for _ in 0..<dice.number(4) {
      let field = [5, 5, 6, 6, 7, 8, 10, 12, 3, -1][dice.number(10)]
      let written = Field(rawValue: Int64(field))
      writes.append(Write(written, value(known)))
      // Write several values in one event, or an alternative without a value.
      for number in 1...2 where written > .owner && dice.chance(12) {
        writes.append(Write(written.alternative(number), value(known)))
      }
    }
    for _ in 0..<2 where dice.chance(15) { writes.append(Self.tagWrite(&dice)) }
    if dice.chance(6) { writes.append(Write(.disputed, .boolean(dice.chance(80)))) }
    return writes
  }

  private mutating func value(_ known: [EventKey]) -> Value {
    switch dice.number(10) {
    case 0: .null
    case 1, 2: .text(["a", "b"][dice.number(2)])
    case 3: .integer(Int64(dice.number(2)))
    case 4: .boolean(dice.chance(50))
    case 5: .texts([["x"], ["x", "A"], ["b", "é"]][dice.number(3)])
    default:
      pick(known).map(Value.reference)
        ?? .reference(EventKey(log: 0, sequence: UInt64(dice.number(9))))
    }
  }
}
