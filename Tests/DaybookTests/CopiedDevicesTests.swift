import Bytes
import Foundation
import Journaling
import TestDice
import Testing

/// Real journals of machines, one of which was copied, compared with the model.
///
/// The environment variable `FORK_HISTORIES` sets the number of long histories, and adds a command to the others.
struct CopiedDevicesTests {
  private static let histories =
    ProcessInfo.processInfo.environment["FORK_HISTORIES"].flatMap { UInt64($0) }

  /// The state of all machines.
  private struct World {
    typealias Writer = ForkModel.Writer
    var model = ForkModel()
    /// The disk of each machine, and the commands that it holds.
    var machines: [Writer: (holder: Int, view: ForkModel.Set)] = [:]

    /// The machines as `CopiedDevices` first creates them.
    init() {
      for (holder, writer) in [Writer.original, .second, .third].enumerated() {
        machines[writer] = (holder, [])
      }
    }

    var writers: [Writer] { machines.keys.sorted { $0.rawValue < $1.rawValue } }

    /// A key that is equal for equal worlds, in any order of concurrent writes.
    var key: [UInt64] {
      model.commands.map(\.key).sorted()
        + writers.flatMap { [UInt64($0.rawValue), UInt64(machines[$0]?.holder ?? 0)] }
    }

    mutating func copy(in devices: CopiedDevices) throws {
      let original = try #require(machines[.original])
      machines[.original] = nil
      for writer in [Writer.left, .right] {
        machines[writer] = (try devices.copy(original.holder, as: writer), original.view)
      }
    }

    mutating func write(_ writer: Writer, in devices: CopiedDevices) throws {
      let machine = try #require(machines[writer])
      let isNew = model.next(by: writer, holding: machine.view)
      model.add(isNew)
      let command = model.commands[model.commands.count - 1]
      let view = machine.view.union(.only(model.commands.count - 1))
      machines[writer] = (try devices.write(command, of: model, on: machine.holder), view)
    }

    mutating func sync(
      _ receiver: Writer, from sender: Writer, by way: CopiedDevices.Way, in devices: CopiedDevices
    ) throws {
      let (to, from) = (try #require(machines[receiver]), try #require(machines[sender]))
      machines[receiver] = (
        try devices.sync(to.holder, from: from.holder, by: way), to.view.union(from.view)
      )
    }

    mutating func syncAll(in devices: CopiedDevices) throws {
      for _ in 1...2 {
        for one in writers {
          for other in writers where one != other {
            try sync(one, from: other, by: .syncOutcome, in: devices)
          }
        }
      }
    }
  }

  private let devices: CopiedDevices
  init() throws { devices = try CopiedDevices() }

  @Test func `Copied devices: after any writes and syncs, each journal matches the model`() throws {
    var checked: Set<Int> = []
    var waiting = [World()]
    var known: Set<[UInt64]> = []
    var worlds = 0
    while let world = waiting.popLast() {
      guard known.insert(world.key).inserted else { continue }
      worlds += 1
      for (holder, view) in world.machines.values where checked.insert(holder).inserted {
        try devices.check(holder, against: world.model, holding: view)
      }
      waiting += try following(world)
    }
    #expect(worlds > 1_000)
    #expect(devices.transitionCount > 3_000)
  }

  private func following(_ world: World) throws -> [World] {
    var following: [World] = []
    if world.machines[.original] != nil {
      var next = world
      try next.copy(in: devices)
      following.append(next)
    }
    for writer in world.writers {
      if world.model.commands.count < (Self.histories == nil ? 2 : 3) {
        var next = world
        try next.write(writer, in: devices)
        following.append(next)
      }
      for other in world.writers where other != writer {
        for way in CopiedDevices.Way.allCases {
          var next = world
          try next.sync(writer, from: other, by: way, in: devices)
          following.append(next)
        }
      }
    }
    return following
  }

  @Test func `Copied devices: long histories end with all devices equal`() throws {
    var checked: Set<Int> = []
    var (forked, found) = (0, 0)
    for seed in 0..<(Self.histories ?? 20) {
      var dice = Dice(seed: seed)
      var world = World()
      while world.model.commands.count < 6 {
        try step(&world, &dice)
        for (holder, view) in world.machines.values where checked.insert(holder).inserted {
          try devices.check(holder, against: world.model, holding: view)
        }
      }
      if world.machines[.original] != nil { try world.copy(in: devices) }
      let isFound = try settle(&world)
      found += isFound ? 1 : 0
      forked += world.model.logs(in: world.model.all).contains(where: \.isForked) ? 1 : 0
    }
    #expect(forked >= 10)
    #expect(found >= 10)
  }

  private func step(_ world: inout World, _ dice: inout Dice) throws {
    if world.machines[.original] != nil, dice.chance(30) { try world.copy(in: devices) }
    let one = world.writers[dice.number(world.writers.count)]
    if dice.chance(45) { return try world.write(one, in: devices) }
    let other = world.writers[dice.number(world.writers.count)]
    guard one != other else { return }
    let way: CopiedDevices.Way = dice.chance(70) ? .syncOutcome : .bundle
    try world.sync(one, from: other, by: way, in: devices)
  }

  /// - Returns: Whether the machines detected the copy.
  private func settle(_ world: inout World) throws -> Bool {
    try world.syncAll(in: devices)
    for (holder, view) in world.machines.values {
      #expect(view == world.model.all)
      try devices.check(holder, against: world.model, holding: view)
    }
    let forks = world.model.logs(in: world.model.all).filter(\.isForked).count
    let isFound = world.model.commands.contains { $0.writer == .left || $0.writer == .right }
    for writer in world.writers { try world.write(writer, in: devices) }
    try world.syncAll(in: devices)
    for (holder, view) in world.machines.values {
      #expect(view == world.model.all)
      try devices.check(holder, against: world.model, holding: view)
    }
    let after = world.model.logs(in: world.model.all).filter(\.isForked).count
    // Copies that have not written since then cannot be distinguished from a single machine.
    if isFound { #expect(after == forks) }
    return isFound
  }
}
