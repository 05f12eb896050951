import Foundation
import PosixPlatform
import TestDice
import Testing

/// Three machines that run commands while processes are killed and wires are cut.
final class Turmoil {
  /// The numbers of wires cut, of syncs run and of syncs killed.
  struct Account {
    var wiresCut = 0
    var syncs = 0
    var syncsKilled = 0
  }

  let realm: Realm
  let residents: [Resident]
  private(set) var havoc = Havoc()
  private(set) var account = Account()
  private var dice: Dice
  private var wires = [(0, 1), (0, 2), (1, 2)].map { (first: $0.0, second: $0.1, isWhole: true) }
  private var syncs: [Process] = []

  init(seed: UInt64) throws {
    let realm = try Realm()
    self.realm = realm
    dice = Dice(seed: seed)
    residents = try Realm.machines.map { try Resident($0, in: realm, seed: seed) }
    try residents.gather()
  }

  /// Runs the given number of commands on all machines at the same time, with faults in between.
  func rage(commands: Int) throws {
    while havoc.commands < commands {
      try residents.carryOut(&dice, &havoc)
      try doHarm()
    }
  }

  private func doHarm() throws {
    let one = residents[dice.number(residents.count)]
    switch dice.number(100) {
    case 0..<8: one.strike(server: true, &havoc)
    case 8..<12: one.strike(server: false, &havoc)
    case 12..<18 where realm.hasWires: setWire(dice.number(wires.count), isWhole: false)
    case 18..<34: try sync(one)
    default: break
    }
    for one in residents where dice.chance(25) { try one.serve() }
    for one in residents where dice.chance(10) { try one.follow() }
    for wire in wires.indices where !wires[wire].isWhole && dice.chance(8) {
      setWire(wire, isWhole: true)
    }
  }

  private func setWire(_ wire: Int, isWhole: Bool) {
    guard wires[wire].isWhole != isWhole else { return }
    wires[wire].isWhole = isWhole
    if !isWhole { account.wiresCut += 1 }
    realm.setWire(between: wires[wire].first, and: wires[wire].second, isWhole: isWhole)
  }

  private func sync(_ one: Resident) throws {
    let other = (one.number + 1 + dice.number(residents.count - 1)) % residents.count
    let process = try one.beginSync(with: other)
    account.syncs += 1
    syncs.append(process)
    if dice.chance(20) {
      kill(process.processIdentifier, SIGKILL)
      account.syncsKilled += 1
    }
    syncs.removeAll { !$0.isRunning }
  }

  /// Ends all faults, and syncs all machines.
  ///
  /// - Returns: The number of rounds until the states were equal.
  func settle() throws -> Int? {
    for wire in wires.indices { setWire(wire, isWhole: true) }
    for process in syncs { process.waitUntilExit() }
    for one in residents {
      _ = one.strike(server: false)
      try one.serve()
    }
    for round in 1...10 {
      for one in residents {
        for other in residents where other.number != one.number {
          let process = try one.beginSync(with: other.number)
          process.waitUntilExit()
        }
      }
      let digests = try residents.map { try $0.standing() }
      if Set(digests).count == 1 { return round }
    }
    return nil
  }
}
