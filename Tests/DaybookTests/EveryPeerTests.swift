import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

/// The way in which events travel from one machine to another.
enum Road: CaseIterable {
  case bundle, directory, line

  /// Syncs two machines completely, and returns the problems.
  func meet(_ one: Copyist, _ two: Copyist) async throws -> [SyncProblem] {
    switch self {
    case .bundle: try Self.carry(from: one, to: two) + Self.carry(from: two, to: one)
    case .directory:
      try [one, two, one].flatMap { machine in
        try machine.open().replicator.sync(with: Office.directory, admission: .always).problems
      }
    case .line: try await Self.dial(one, from: two)
    }
  }

  private static func carry(from one: Copyist, to two: Copyist) throws -> [SyncProblem] {
    let path = MountedDisk.stick(0) / "\(one.name).bundle"
    _ = try one.open().replicator.writeBundle(to: path)
    return try two.open().replicator.sync(with: .file(path), admission: .always).problems
  }

  private static func dial(_ one: Copyist, from two: Copyist) async throws -> [SyncProblem] {
    let server = Server(one.machine)
    let port = try await server.start()
    do {
      let peer = PeerAddress.tcp(host: "127.0.0.1", port: port)
      let receipt = try two.open().replicator.sync(with: peer, admission: .always)
      await server.stop()
      return receipt.problems
    } catch {
      await server.stop()
      throw error
    }
  }
}

/// Faults of logs have the same outcome over every transport.
struct EveryPeerTests {
  /// Two machines of one book.
  private func two(_ seed: UInt64) throws -> (studio: Studio, one: Copyist, two: Copyist) {
    let studio = try Studio(seed: seed, hasWitness: false)
    return (studio, try studio.found("one"), try studio.join("two"))
  }

  private func expectAgreement(_ machines: [Copyist], on names: [String]) throws {
    for machine in machines {
      #expect(try machine.names() == names, "\(machine.name)")
      #expect(try machine.open().verifier.verify().isWhole, "\(machine.name)")
    }
    #expect(Set(try machines.map { try $0.open().statusReader.digest() }).count == 1)
    // Each log and branch ends with the same event.
    let logs = try machines.map { try $0.open().core.store.journal.logs.mapValues(\.sequence) }
    for (machine, held) in zip(machines, logs) { #expect(held == logs[0], "\(machine.name)") }
  }

  @Test(arguments: Road.allCases)
  func `Every transport: two machines that write under one key end with equal branches`(
    road: Road
  ) async throws {
    let (studio, one, two) = try two(951)
    try one.add("first")
    let clone = try studio.place("clone")
    clone.restore(one.copyOfDisk())
    try one.add("by one")
    try clone.add("by the clone")
    for _ in 1...3 {
      #expect(try await road.meet(one, two) == [])
      #expect(try await road.meet(two, clone) == [])
    }
    #expect(try await road.meet(one, two) == [])
    try expectAgreement([one, two, clone], on: ["by one", "by the clone", "first"])
    for machine in [one, two, clone] {
      #expect(try machine.open().deviceList.devices().compactMap(\.branch).sorted() == [1, 2])
    }
  }

  @Test(arguments: Road.allCases)
  func `Every transport: a restored backup recovers its events and keeps those written since`(
    road: Road
  ) async throws {
    let (_, one, two) = try two(952)
    try one.add("first")
    #expect(try await road.meet(one, two) == [])
    let old = one.copyOfDisk()
    try one.add("second")
    #expect(try await road.meet(one, two) == [])
    one.restore(old)
    #expect(try one.names() == ["first"])
    // If it has written nothing since, it only receives the lost events and then begins a new log.
    for _ in 1...2 { #expect(try await road.meet(one, two) == []) }
    try expectAgreement([one, two], on: ["first", "second"])
    #expect(try two.open().deviceList.devices().compactMap(\.branch) == [])
    // If it has written an event since, its log has forked.
    one.restore(old)
    try one.add("third")
    for _ in 1...2 { #expect(try await road.meet(one, two) == []) }
    try one.add("fourth")
    for _ in 1...2 { #expect(try await road.meet(one, two) == []) }
    try expectAgreement([one, two], on: ["first", "fourth", "second", "third"])
    #expect(try two.open().deviceList.devices().compactMap(\.branch).sorted() == [1, 2])
  }

  @Test(arguments: Road.allCases)
  func `Every transport: lost events are restored from a device that holds them`(
    road: Road
  ) async throws {
    let (_, one, two) = try two(953)
    for number in 1...6 { try one.add("list \(number)") }
    #expect(try await road.meet(one, two) == [])
    for machine in [one, two] {
      let before = try machine.names()
      try machine.damageLog(of: one)
      #expect(try !machine.open().verifier.verify().isWhole)
      #expect(try await road.meet(one, two) == [])
      try expectAgreement([one, two], on: before)
    }
  }

  @Test(arguments: Road.allCases)
  func `Every transport: what a device writes after its revocation is excluded everywhere`(
    road: Road
  ) async throws {
    let (studio, one, two) = try two(954)
    let three = try studio.join("three")
    #expect(try await road.meet(one, three) == [])
    #expect(try await road.meet(one, two) == [])
    try three.add("in time")
    #expect(try await road.meet(one, three) == [])
    let book = try one.open()
    _ = try book.revoker.revoke(try book.deviceList.device(called: "three"))
    try three.add("too late")
    #expect(try await road.meet(one, two) == [])
    // The revoked device also receives the revocation, except over a line, where it is refused.
    do {
      _ = try await road.meet(two, three)
      #expect(road != .line)
    } catch {
      #expect(road == .line)
      #expect("\(error)".contains("refused") || "\(error)".contains("cut"), "\(error)")
    }
    #expect(try await road.meet(one, two) == [])
    try expectAgreement([one, two], on: ["in time"])
    if road != .line {
      guard case .revoked = try three.open().statusReader.status().standing else {
        Issue.record("three has not heard that it was taken out")
        return
      }
      #expect(try three.open().statusReader.digest() == one.open().statusReader.digest())
    }
  }

  @Test(arguments: Road.allCases)
  func `Every transport: an erased record disappears everywhere, with edits that arrive late`(
    road: Road
  ) async throws {
    let (_, one, two) = try two(955)
    try one.add("secret")
    try one.add("plain")
    #expect(try await road.meet(one, two) == [])
    let list = try #require(try one.open().view().lists.lists().first { $0.name == "secret" }).head
      .id
    // Meanwhile, the other machine edits the list.
    try two.rename(list, "still secret")
    _ = try one.open().eraser.erase(list)
    for _ in 1...2 { #expect(try await road.meet(one, two) == []) }
    try expectAgreement([one, two], on: ["plain"])
    for machine in [one, two] {
      #expect(try machine.open().finder.document(withID: list) == nil)
      #expect(try machine.open().verifier.verify().bodiless == 0)
    }
  }
}

/// Peer directories without free space.
struct FullFolderTests {
  @Test func `Full directory: its events are received, and no event counts as sent`() throws {
    let studio = try Studio(seed: 956, hasWitness: false)
    let (one, two) = (try studio.found("one"), try studio.join("two"))
    try two.add("by two")
    try two.sync()
    try one.add("by one")
    studio.stick.becomeFull(afterBytes: 20)
    let receipt = try one.open().replicator.sync(with: Office.directory)
    #expect(receipt.problems == [.notLeft(MountedDisk.stick(0), .full)])
    #expect(receipt.sent == [])
    #expect(receipt.went.map(\.device) == [])
    #expect(receipt.came.map(\.device) == ["two"])
    #expect(try one.names() == ["by one", "by two"])
    studio.stick.clearWeather()
    let next = try one.open().replicator.sync(with: Office.directory)
    #expect(next.went.map(\.device) == ["one"])
    #expect(next.problems == [])
  }
}

extension Copyist {
  /// Flips a bit in the middle of the largest file that this machine holds of the author's logs.
  fileprivate func damageLog(of author: Copyist) throws {
    let writers = try author.writers()
    let logs = Studio.folder / "logs"
    var largest: (path: Path, bytes: [UInt8])?
    for folder in try machine.disk.list(logs) where writers.map(\.hex).contains(folder) {
      for name in try machine.disk.list(logs / folder) where name.hasSuffix(".gz") {
        let path = logs / folder / name
        let bytes = try machine.disk.contents(of: path, limit: 1 << 24)
        if bytes.count > largest?.bytes.count ?? 0 { largest = (path, bytes) }
      }
    }
    guard var damaged = largest else { return }
    damaged.bytes[damaged.bytes.count / 2] ^= 4
    try machine.disk.replace(damaged.path, with: damaged.bytes)
  }
}
