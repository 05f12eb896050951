import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// Books with two copies that have written to the same log.
struct ForkTests {
  private func expectAgreement(_ studio: Studio, on names: [String]) throws {
    for machine in studio.machines {
      #expect(try machine.names() == names)
      #expect(try machine.open().verifier.verify().faults == [])
    }
    #expect(Set(try studio.machines.map { try $0.open().statusReader.digest() }).count == 1)
    // The same logs and branches, event for event.
    let logs = try studio.machines.map { try $0.open().core.store.journal.logs.mapValues(\.hash) }
    #expect(Set(logs).count == 1)
  }

  @Test func `Fork: a rolled-back book that continued to write keeps both branches after a sync`()
    throws
  {
    let studio = try Studio(seed: 711, hasWitness: false)
    let (one, two, before) = try studio.rolledBack()
    try one.add("third")
    #expect(try one.writers() == before)
    try studio.syncAll()
    try one.add("fourth")
    #expect(try one.writers() != before)
    #expect(try one.retired() == before)
    try studio.syncAll()
    try expectAgreement(studio, on: ["first", "fourth", "second", "third"])
    let devices = try two.open().deviceList.devices()
    #expect(devices.compactMap(\.branch).sorted() == [1, 2])
    #expect(Device.forked(devices) == ["one"])
  }

  @Test func `Fork: after a clone meets its original, both continue under new incarnations`() throws
  {
    let studio = try Studio(seed: 712)
    let (one, two) = (try studio.found("one"), try studio.join("two"))
    try one.add("first")
    let clone = try studio.place("clone")
    clone.restore(one.copyOfDisk())
    try one.add("by one")
    try clone.add("by the clone")
    try two.add("by two")
    try studio.syncAll()
    try expectAgreement(studio, on: ["by one", "by the clone", "by two", "first"])
    let before = try two.writers()
    for machine in studio.machines { try machine.add("later by \(machine.name)") }
    #expect(try two.writers() == before)
    #expect(try one.writers() != clone.writers())
    try studio.syncAll()
    try expectAgreement(
      studio,
      on: [
        "by one", "by the clone", "by two", "first", "later by clone", "later by one",
        "later by two",
      ])
    // Both copies have abandoned their own branch of the log that they shared.
    #expect(try two.retired().count == 1)
  }

  @Test func `Fork: edits of one record in two branches are a conflict on all devices`() throws {
    let studio = try Studio(seed: 713)
    let (one, _) = (try studio.found("one"), try studio.join("two"))
    try one.add("first")
    let list = try #require(try one.open().view().lists.lists().first).head.id
    let clone = try studio.place("clone")
    clone.restore(one.copyOfDisk())
    for machine in [one, clone] {
      _ = try machine.open().commands.perform(
        .edit(
          list, [Request.Assignment(Field.List.name, .value(.text("by \(machine.name)")))]))
    }
    try studio.syncAll()
    for machine in studio.machines {
      let document = try #require(try machine.open().finder.document(withID: list))
      #expect(document.shown(Field.List.name)?.survivors.count == 2)
    }
    // A write at this point has seen both branches.
    _ = try one.open().commands.perform(
      .edit(list, [Request.Assignment(Field.List.name, .value(.text("settled")))]))
    try studio.syncAll()
    try expectAgreement(studio, on: ["settled"])
    for machine in studio.machines {
      let document = try #require(try machine.open().finder.document(withID: list))
      #expect(document.shown(Field.List.name)?.survivors.count == 1)
    }
  }

  @Test func `Fork: a loss in a branch is missing there until it is accepted`() throws {
    let studio = try Studio(seed: 714)
    let (one, two) = (try studio.found("one"), try studio.join("two"))
    try one.add("first")
    let replica = try #require(try one.writers().first)
    let fork = try #require(try one.open().core.store.journal.logs[replica]).sequence
    let clone = try studio.place("clone")
    clone.restore(one.copyOfDisk())
    // Each event is in its own frame.
    for name in ["a", "b", "c"] {
      try clone.add(name)
      try two.sync(after: clone)
    }
    try one.add("by one")
    try studio.syncAll()

    let lost = fork + 2
    let damaged = two.copyOfDisk()
    for (path, bytes) in damaged.files where path.string.contains("/logs/\(replica.hex)/") {
      var offset = 0
      for frame in bytes.frames {
        if frame.firstSequence...frame.lastSequence ~= lost {
          damaged.rot(path, at: offset + frame.length / 2, flipping: 4)
        }
        offset += frame.length
      }
    }
    two.restore(damaged)
    let book = try two.open()
    let hole = try #require(try book.verifier.verify().logs.flatMap(\.missing).first)
    #expect(hole.contains(lost))
    let branch = try #require(
      book.core.store.journal.logs.first { id, end in
        id != replica && end.sequence > lost
      }?.key)
    #expect(branch != replica && book.core.store.journal.lineage(of: branch).replica == replica)
    let missing = try book.statusReader.status().missing
    #expect(missing.map(\.replica) == [branch])
    #expect(missing.map(\.range) == [hole])
    #expect(try book.verifier.acceptLoss().after.isClean)
    #expect(try book.statusReader.status().missing.map(\.range) == [])
  }
}
