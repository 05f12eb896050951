import Bytes
import Crypto
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import TestDice
import Testing
import Verifying

@testable import Daybook

/// Trust events that were lost before it became known that their log has forked.
struct LateForkTests {
  /// A revoked device and its clone, and two machines that receive the same, of which one loses events.
  private struct Case {
    let studio: Studio
    let one: Copyist
    let two: Copyist
    let clone: Copyist
    /// The machine that loses events, and one that loses none.
    let three: Copyist
    let whole: Copyist
    /// The log that forks.
    let log: UniqueID

    /// Founds a book in which the log of `two` forks after an admission.
    init(seed: UInt64, shared: Int = 1) throws {
      studio = try Studio(seed: seed, hasWitness: false)
      one = try studio.found("one")
      two = try studio.join("two")
      three = try studio.join("three")
      for number in 1...max(1, shared) { try two.add("shared \(number)") }
      try two.sync()
      try one.sync(after: two)
      try three.sync()
      log = try #require(try two.writers().first)
      whole = try studio.place("whole")
      whole.restore(three.copyOfDisk())
      clone = try studio.place("clone")
      clone.restore(two.copyOfDisk())
    }

    static func key(_ number: UInt8) throws -> PublicKey {
      try PublicKey([number] + [UInt8](repeating: 7, count: 31))
    }

    static func admit(_ number: UInt8, on machine: Copyist) throws {
      let book = try machine.open()
      let verb = TrustVerb.admit(try key(number), name: "device \(number)")
      try book.access.withLock { () throws(DaybookError) in
        var posting = try book.core.projector.remembered(by: try book.view())
        _ = try book.writer.append([], trusting: [verb], knowing: &posting)
      }
    }

    func bundle(of machine: Copyist, _ name: String) throws -> Path {
      let path = MountedDisk.stick(0) / "\(name).bundle"
      _ = try machine.open().replicator.writeBundle(to: path)
      return path
    }

    /// Receives a bundle on both machines.
    func receive(_ path: Path) throws {
      for machine in [three, whole] { _ = try machine.open().replicator.sync(with: .file(path)) }
    }

    /// The founder revokes the device, and keeps what it has received.
    func revoke(knowing bundles: [Path]) throws -> Path {
      for path in bundles { _ = try one.open().replicator.sync(with: .file(path)) }
      let book = try one.open()
      let device = try #require(try book.deviceList.devices().first { $0.replica == log })
      let plan = RevocationPlan(
        device: device.withoutPart, formerKeys: [], dependents: [], kept: [], isWhole: false)
      _ = try book.revoker.revoke(by: plan)
      return try bundle(of: one, "revoked")
    }

    /// Loses the frames of the log from the first with an event after the given one.
    func lose(after last: UInt64, in folder: String? = nil) throws {
      let disk = three.copyOfDisk()
      let prefix = "/home/book/logs/\(folder ?? "\(log.hex)/")"
      for (path, bytes) in disk.files where path.string.hasPrefix(prefix) {
        guard folder != nil || !path.string.dropFirst(prefix.count).contains("/") else { continue }
        guard bytes.frames.last?.lastSequence ?? 0 > last else { continue }
        var kept = 0
        for frame in bytes.frames {
          guard frame.lastSequence <= last else { break }
          kept += frame.length
        }
        try disk.remove(path)
        if kept > 0 { try disk.replace(path, with: Array(bytes.prefix(kept))) }
      }
      three.restore(disk)
    }

    func trust(_ machine: Copyist) throws -> Trust { try machine.open().core.projector.trust() }

    /// The events of the log that count and that the machine holds.
    func counted(_ machine: Copyist) throws -> Set<Landmark.Mark> {
      let (trust, store) = (try trust(machine), try machine.open().core.store)
      var found: Set<Landmark.Mark> = []
      for id in store.journal.logs.keys where store.journal.lineage(of: id).replica == log {
        try store.forEachFrame(of: id) { _, events in
          for event in events where event.sequence <= trust.admitted[id] ?? 0 {
            found.insert(.init(sequence: event.sequence, hash: event.hash.prefix16))
          }
        }
      }
      return found
    }

    func held(_ machine: Copyist) throws -> Set<Landmark.Mark> {
      let store = try machine.open().core.store
      var found: Set<Landmark.Mark> = []
      for id in store.journal.logs.keys where store.journal.lineage(of: id).replica == log {
        try store.forEachFrame(of: id) { _, events in
          for event in events {
            found.insert(.init(sequence: event.sequence, hash: event.hash.prefix16))
          }
        }
      }
      return found
    }

    func end(of machine: Copyist) throws -> UInt64 {
      try #require(try machine.open().core.store.journal.end(of: log, on: .logs)).sequence
    }
  }

  @Test func `Late fork: an admission on a lost branch stays cut off when another branch arrives`()
    throws
  {
    let late = try Case(seed: 1_061)
    let fork = try late.end(of: late.two)
    try late.two.add("by two")
    try Case.admit(9, on: late.two)
    let own = try late.bundle(of: late.two, "two")
    for name in ["1", "2", "3", "4"] { try late.clone.add("by the clone \(name)") }
    let other = try late.bundle(of: late.clone, "clone")
    let revoked = try late.revoke(knowing: [other])

    try late.receive(own)
    #expect(try late.trust(late.three).admittedKeys.contains(Case.key(9)))
    try late.lose(after: fork)
    try late.receive(other)
    try late.receive(revoked)
    for machine in [late.whole, late.three] {
      #expect(try !late.trust(machine).admittedKeys.contains(Case.key(9)))
      #expect(try machine.names().count == 5)
    }
    #expect(try late.three.open().verifier.verify().remembered == 1)
    // What was lost has returned, in a branch.
    try late.receive(own)
    #expect(try late.three.open().verifier.verify().isWhole)
    #expect(try late.counted(late.three) == late.counted(late.whole))
  }

  @Test func `Late fork: kept events that are lost count in their own branch`() throws {
    let late = try Case(seed: 1_062)
    let fork = try late.end(of: late.two)
    try late.two.add("by two")
    try Case.admit(9, on: late.two)
    try late.two.add("more by two")
    let own = try late.bundle(of: late.two, "two")
    for name in ["1", "2", "3", "4"] { try late.clone.add("by the clone \(name)") }
    try Case.admit(8, on: late.clone)
    let other = try late.bundle(of: late.clone, "clone")
    let revoked = try late.revoke(knowing: [own])

    try late.receive(own)
    try late.receive(revoked)
    try late.lose(after: fork)
    try late.receive(other)
    for machine in [late.whole, late.three] {
      let keys = try late.trust(machine).admittedKeys
      #expect(try keys.contains(Case.key(9)))
      #expect(try !keys.contains(Case.key(8)))
    }
    #expect(try late.three.names() == ["shared 1"])
    #expect(
      try late.counted(late.whole).intersection(late.held(late.three)) == late.counted(late.three))
    // The second copy has been written since, and decides in the same way.
    try late.lose(after: fork)
    #expect(try late.trust(late.three).admittedKeys.contains(Case.key(9)))
    try late.receive(own)
    #expect(try late.counted(late.three).isSubset(of: late.counted(late.whole)))
    try late.receive(other)
    #expect(try late.counted(late.three) == late.counted(late.whole))
    #expect(try late.three.open().verifier.verify().isWhole)
  }

  /// What happens to the machines of one random history.
  private struct Course {
    var dice: TestDice.Dice
    var late: Case
    var forksAtPoint: Bool
    /// Whether a revocation has arrived after events were lost, so that the lost machine cannot look up what it keeps.
    var isLate = false
    var hasLost = false

    init(seed: UInt64) throws {
      dice = TestDice.Dice(seed: seed)
      forksAtPoint = dice.chance(50)
      late = try Case(seed: 20_000 + seed, shared: 1 + dice.number(4))
      if forksAtPoint {
        // The clone is a copy of a machine whose last event is in the second copy.
        try Case.admit(99, on: late.two)
        late.clone.restore(late.two.copyOfDisk())
        try late.receive(try late.bundle(of: late.two, "early"))
      }
    }

    /// Writes on both branches, and returns bundles of their beginnings.
    mutating func write() throws -> [[Path]] {
      var bundles: [[Path]] = []
      for (number, machine) in [late.two, late.clone].enumerated() {
        var paths: [Path] = []
        for step in 0..<2 + dice.number(5) {
          if dice.chance(50) {
            try Case.admit(UInt8(10 * (number + 1) + step), on: machine)
          } else {
            try machine.add("\(number) \(step)")
          }
          if dice.chance(40) { paths.append(try late.bundle(of: machine, "\(number)-\(step)")) }
        }
        paths.append(try late.bundle(of: machine, "\(number)"))
        bundles.append(paths)
      }
      return bundles
    }

    mutating func run() throws {
      let fork = try late.end(of: late.two)
      let bundles = try write()
      let known = bundles.filter { _ in dice.chance(60) }.compactMap { dice.pick($0) }
      var revoked: Path? = try late.revoke(knowing: known)
      var waiting = bundles.flatMap { $0 }.filter { _ in dice.chance(70) }
      waiting.shuffle(using: &dice)
      while revoked != nil || !waiting.isEmpty {
        if let path = revoked, waiting.isEmpty || dice.chance(35) {
          try late.receive(path)
          (revoked, isLate) = (nil, isLate || hasLost)
        } else if let path = waiting.popLast() {
          try late.receive(path)
        }
        if dice.chance(35) {
          hasLost = true
          let folders = late.three.copyOfDisk().files.keys.flatMap { path in
            path.string.split(separator: "/").compactMap { UniqueID(hex: String($0)) }
          }
          let branch = try late.three.open().core.store.journal.forks.keys.sorted()
            .first { folders.contains($0) }
          if let branch, dice.chance(60) {
            try late.lose(after: 0, in: "\(late.log.hex)/\(branch.hex)/")
          } else {
            try late.lose(
              after: forksAtPoint ? fork + UInt64(dice.number(3)) : UInt64(dice.number(9)))
          }
        }
        if dice.chance(20) { _ = try late.three.open().verifier.verify() }
      }
    }
  }

  private static let parts: UInt64 = 4
  private static let histories: UInt64 = 60

  @Test(arguments: 0..<parts)
  func `Late fork: a machine that has lost events never trusts more than one that has all`(
    part: UInt64
  ) throws {
    var (exact, different) = (0, 0)
    for seed in stride(from: part, to: Self.histories, by: Int(Self.parts)) {
      var course = try Course(seed: seed)
      try course.run()
      let late = course.late
      let (lossy, whole) = (try late.trust(late.three), try late.trust(late.whole))
      let (counted, all) = (try late.counted(late.three), try late.counted(late.whole))
      let held = try late.held(late.three)
      #expect(lossy.admittedKeys.isSubset(of: whole.admittedKeys), "seed \(seed)")
      #expect(counted.isSubset(of: all), "seed \(seed)")
      #expect(lossy.revokedKeys == whole.revokedKeys, "seed \(seed)")
      let isEqual =
        lossy.admittedKeys == whole.admittedKeys && counted == all.intersection(held)
      exact += isEqual ? 1 : 0
      different += held == (try late.held(late.whole)) ? 0 : 1
      if course.forksAtPoint && !course.isLate { #expect(isEqual, "seed \(seed)") }
    }
    let total = Int(Self.histories / Self.parts)
    #expect(exact > total / 2, "\(exact) of \(total)")
    #expect(different > total / 4, "\(different) of \(total)")
  }
}
