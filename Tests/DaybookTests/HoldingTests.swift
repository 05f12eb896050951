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

/// Held erasures remain held, whatever happens to the book.
struct HoldingTests {
  private typealias Held = HeldErasureTests

  @Test func `Held erasure: it survives a rebuild, a restart and a copy of the folder`() throws {
    let (office, ids) = try Held.office("one", "two", lists: 11, seed: 1012)
    let (one, two) = (office.books[0], office.books[1])
    try Held.erase(ids, by: two)
    try Held.sync(two, one)
    _ = try one.core.projector.rebuild()
    #expect(try Held.held(one) == ["two": 11] && Held.shown(one) == 11)
    office.places[0].simulated.timekeeper.advance(milliseconds: 2 * Held.day)
    let anew = try office.places[0].open()
    #expect(try Held.held(anew) == ["two": 11] && Held.shown(anew) == 11)
    _ = try anew.replicator.sync(with: Office.directory)
    #expect(try Held.held(anew) == ["two": 11] && Held.shown(anew) == 11)
    let copy = try office.clone("one", as: "copy")
    #expect(try Held.held(copy) == ["two": 11] && Held.shown(copy) == 11)
    // Each copy decides separately.
    _ = try copy.held.acceptErasures()
    #expect(try Held.held(copy) == [:] && Held.shown(copy) == 0)
    #expect(try Held.held(office.places[0].open()) == ["two": 11])
  }

  @Test func `Held erasure: a process sees what another one has accepted`() throws {
    let (office, ids) = try Held.office("one", "two", lists: 11, seed: 1013)
    let (one, two) = (office.books[0], office.books[1])
    try Held.erase(ids, by: two)
    try Held.sync(two, one)
    let other = try office.places[0].open()
    #expect(try Held.shown(other) == 11)
    _ = try one.held.acceptErasures()
    #expect(try Held.shown(other) == 0 && Held.held(other) == [:])
    #expect(try other.statusReader.digest() == two.statusReader.digest())
  }

  @Test func `Held erasure: an erasure that arrives before its records is held too`() throws {
    let (office, _) = try Held.office("one", "two", "three", lists: 0, seed: 1014)
    let (one, two, three) = (office.books[0], office.books[1], office.books[2])
    let late = try Held.add(12, to: one)
    try Held.sync(one, two)
    // The third device has the earlier log of the first, and receives only the log of the second.
    try Held.erase(late, by: two)
    try Held.sync(two)
    let (folder, log) = (MountedDisk.stick(0) / "other", two.replica.hello.replica)
    let from = MountedDisk.stick(0) / one.id.hex / log.hex
    let to = folder / one.id.hex / log.hex
    let disk = office.places[0].machine.disk
    try disk.makeDirectories(to)
    for name in try disk.list(from) {
      try disk.replace(to / name, with: try disk.contents(of: from / name, limit: 1 << 24))
    }
    _ = try three.replicator.sync(with: .directory(folder))
    #expect(try Held.held(three) == ["two": 12])
    #expect(try three.held.heldRecords().allSatisfy { $0.title == nil })
    // The first device also holds the erasure, so it sends the records with their bodies.
    let bundle = MountedDisk.stick(0) / "one.bundle"
    _ = try one.replicator.writeBundle(to: bundle)
    _ = try three.replicator.sync(with: .file(bundle))
    #expect(try Held.held(three) == ["two": 12] && Held.shown(three) == 12)
    _ = try three.held.acceptErasures()
    #expect(try Held.shown(three) == 0 && !Held.onDisk(office.places[2]))
    #expect(try three.verifier.verify().faults == [])
  }

  @Test func `Held erasure: records that arrive without their bodies are released`() throws {
    let (office, _) = try Held.office("one", "two", "three", lists: 0, seed: 1015)
    let (one, two, three) = (office.books[0], office.books[1], office.books[2])
    let late = try Held.add(12, to: one)
    try Held.sync(one, two)
    try Held.erase(late, by: two)
    try Held.sync(two, three)
    #expect(try Held.held(three) == [:] && Held.shown(three) == 0)
    #expect(try three.statusReader.status().missing.isEmpty)
    #expect(try three.statusReader.digest() == two.statusReader.digest())
    _ = one
  }

  @Test(arguments: [Survival.nothing, .everything])
  func `Held erasure: an interrupted acceptance is completed by the next one`(
    survival: Survival
  ) throws {
    let (office, ids) = try Held.office("one", "two", lists: 11, seed: 1016)
    let (one, two) = (office.books[0], office.books[1])
    try Held.erase(ids, by: two)
    try Held.sync(two, one)
    let simulated = office.places[0].simulated
    var call = 0
    while true {
      call += 1
      let disk = simulated.disk.copy()
      let machine = Machine(
        disk: disk, timekeeper: simulated.timekeeper, dice: Seeded(seed: 7),
        network: simulated.network)
      let first = try Book(at: Office.folder, on: machine, view: .memory)
      disk.failCall(call, with: .io, .fromThenOn)
      let isDone = (try? first.held.acceptErasures()) != nil
      disk.crash(keeping: survival)
      disk.clearWeather()
      let second = try Book(at: Office.folder, on: machine, view: .memory)
      // If the acceptance was lost, all records are still there.
      if try !Held.held(second).isEmpty { #expect(try Held.shown(second) == 11) }
      _ = try second.held.acceptErasures()
      #expect(disk.holding(["Geheim"]) == [])
      #expect(try second.verifier.verify().faults.isEmpty)
      #expect(try Held.shown(second) == 0 && Held.held(second) == [:])
      if isDone { break }
    }
    #expect(call > 5)
  }

  @Test func `Held erasure: bodies stay although a peer's folder has stripped frames`() throws {
    let (office, ids) = try Held.office("one", "two", lists: 11, seed: 1017)
    let (one, two) = (office.books[0], office.books[1])
    let log = one.replica.hello.replica
    try Held.erase(ids, by: two)
    try Held.sync(two, one)
    var chain = Chain()
    try BookReplica(of: two.replica).forEachFrame(of: log, lackedBy: []) { bytes in
      guard let frame = try? Frame.decode(bytes.span, at: 0, &chain),
        frame.events.contains(where: \.isStripped)
      else { return }
      #expect((try? one.judge.verdict(on: frame, of: log).hasUnexplained) == true)
      #expect((try? two.judge.verdict(on: frame, of: log).hasUnexplained) == false)
    }
    // Repeated syncs do not write frames that the other device strips again.
    try Held.exchange(office.books)
    #expect(try Held.sync(one).sent == [] && Held.sync(two).sent == [])
    #expect(try Held.shown(one) == 11)
  }
}
