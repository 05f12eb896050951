import Bytes
import Daybook
import Domain
import Foundation
import Journaling
import Platform
import ReadModel
import Syncing
import TestDice
import SimulatedPlatform
import Testing
import Verifying

/// Books that were copied, cloned or restored, then written to on both sides and synced by every transport.
struct CopiedBookTests {
  /// The mishap that happened to a book.
  enum Mishap: CaseIterable, Sendable {
    case rolledBackWithWitness, rolledBackBesidePeer, rolledBackUnseen
    case copied, cloned, clonedTwice, cloneCloned

    var hasWitness: Bool { self == .rolledBackWithWitness }

    /// Whether two machines continue the same log before they sync.
    var forks: Bool {
      switch self {
      case .rolledBackUnseen, .cloned, .clonedTwice, .cloneCloned: true
      case .rolledBackWithWitness, .rolledBackBesidePeer, .copied: false
      }
    }

    /// Whether any machine abandons the original log permanently.
    var retires: Bool { self != .copied }
  }

  enum Way: CaseIterable, Sendable { case directory, bundle, line }

  /// All events that the machines wrote, by chain hash, and the names of the lists.
  private struct Written {
    var events: Set<Digest> = []
    var names: Set<String> = []

    mutating func note(_ studio: Studio) throws {
      for machine in studio.machines { events.formUnion(try Self.events(in: machine.run())) }
    }

    static func events(in book: Book) throws -> Set<Digest> {
      var events: Set<Digest> = []
      for log in book.core.store.journal.logs.keys {
        var reader = try book.core.store.journal.reader(of: log)
        while let read = try reader.read() { events.formUnion(read.frame.events.map(\.hash)) }
      }
      return events
    }
  }

  // MARK: What happens

  /// Two machines after the mishap of the first.
  ///
  /// Before it, the second renamed a list of the first.
  private func suffer(_ mishap: Mishap) throws -> (studio: Studio, written: Written) {
    let studio = try Studio(seed: 731, hasWitness: mishap.hasWitness)
    let (one, two) = (try studio.found("one"), try studio.join("two"))
    try one.write("shared")
    try two.sync(after: one)
    let list = try #require(try two.run().view().lists.lists().first).head.id
    try two.rename(list, "shared by two")
    try one.sync(after: two)
    var written = Written(names: ["shared by two"])
    func write(_ names: [(Copyist, String)]) throws {
      for (machine, name) in names {
        try machine.write(name)
        written.names.insert(name)
      }
      try written.note(studio)
    }
    func clone(_ name: String, of original: Copyist) throws -> Copyist {
      let clone = try studio.place(name)
      clone.restore(original.copyOfDisk())
      return clone
    }
    switch mishap {
    case .rolledBackWithWitness, .rolledBackBesidePeer, .rolledBackUnseen:
      let old = one.copyOfDisk()
      try write([(one, "lost and found"), (one, "lost as well")])
      try two.sync(after: one)
      one.restore(old)
      if mishap == .rolledBackBesidePeer { try one.sync() }
      try write([(one, "after the fall"), (two, "meanwhile")])
    case .copied:
      let copy = try clone("copy", of: one)
      try copy.identify()
      try write([(one, "by one"), (copy, "by the copy"), (two, "by two")])
    case .cloned:
      let copy = try clone("clone", of: one)
      try write([(one, "by one"), (copy, "by the clone"), (two, "by two"), (one, "again by one")])
    case .clonedTwice:
      let copies = [try clone("clone", of: one), try clone("third", of: one)]
      try write([(one, "by one"), (copies[0], "by the clone"), (copies[1], "by the third")])
    case .cloneCloned:
      let copy = try clone("clone", of: one)
      try write([(one, "by one"), (copy, "by the clone")])
      let second = try clone("second", of: copy)
      try write([(second, "by the second"), (copy, "again by the clone"), (one, "again by one")])
    }
    return (studio, written)
  }

  // MARK: How they meet

  private func meet(_ left: Copyist, _ right: Copyist, by way: Way) async throws {
    switch way {
    case .directory:
      for machine in [left, right, left] {
        _ = try machine.run().replicator.sync(with: Office.directory, admission: .always)
      }
    case .bundle:
      for (from, to) in [(left, right), (right, left), (left, right)] {
        let path = MountedDisk.stick(0) / "\(UUID()).bundle"
        _ = try from.run().replicator.writeBundle(to: path)
        _ = try to.run().replicator.sync(with: .file(path), admission: .always)
      }
    case .line:
      let pin = Pin.key(try right.run().core.localDevice.shownKey)
      let server = Server(right.machine)
      let port = try await server.start()
      // The pin is required even if all devices are admitted.
      _ = try left.run().replicator.sync(
        with: .tcp(host: "127.0.0.1", port: port), admission: .always, pin: pin)
      #expect(await server.stop() == [])
    }
    for machine in [left, right] { try expectSteady(machine) }
  }

  /// Lets each machine sync with the next, twice around, in a random order and by random transports.
  private func meetAll(_ studio: Studio, _ dice: inout TestDice::Dice) async throws {
    let machines = studio.machines.shuffled(using: &dice)
    for place in 0..<2 * machines.count - 1 {
      let (left, right) = (machines[place % machines.count], machines[(place + 1) % machines.count])
      try await meet(left, right, by: dice.pick(Way.allCases) ?? .directory)
    }
  }

  // MARK: What is expected

  /// Expects that posting step by step gives the same as posting at once.
  private func expectSteady(_ machine: Copyist) throws {
    let (running, fresh) = (try machine.run(), try machine.open())
    #expect(try running.view().tables() == fresh.view().tables(), "\(machine.name)")
    #expect(try running.statusReader.digest() == fresh.statusReader.digest(), "\(machine.name)")
  }

  private func expectAgreement(_ studio: Studio, _ written: Written) throws {
    for machine in studio.machines {
      let book = try machine.run()
      #expect(Set(try machine.names()) == written.names, "\(machine.name)")
      #expect(written.events.subtracting(try Written.events(in: book)) == [], "\(machine.name)")
      #expect(try book.statusReader.status().missing.isEmpty)
      #expect(try book.verifier.verify().isWhole)
    }
    let books = try studio.machines.map { try $0.run() }
    #expect(Set(try books.map { try $0.statusReader.digest() }).count == 1)
    #expect(Set(books.map { $0.core.store.journal.logs.mapValues(\.hash) }).count == 1)
    #expect(Set(books.map { $0.core.store.journal.forks }).count == 1)
  }

  @Test(arguments: Mishap.allCases)
  func `Copied book: after any copy or rollback, syncing loses nothing and all devices agree`(
    mishap: Mishap
  ) async throws {
    var (studio, written) = try suffer(mishap)
    var dice = TestDice::Dice(seed: UInt64(mishap.place))
    try await meetAll(studio, &dice)
    try written.note(studio)
    try expectAgreement(studio, written)
    #expect(try !studio.machines[1].run().core.store.journal.forks.isEmpty == mishap.forks)
    // All machines continue to write. Machines that shared a log each write to a separate log.
    let before = try studio.machines.map { try $0.run().core.store.journal.forks }
    for machine in studio.machines {
      try machine.write("later by \(machine.name)")
      written.names.insert("later by \(machine.name)")
    }
    try written.note(studio)
    // A machine that joins only now receives the fork with its first sync.
    try studio.machines.last?.sync()
    let late = try studio.joinAlone("late")
    try await meetAll(studio, &dice)
    try written.note(studio)
    try expectAgreement(studio, written)
    for (machine, forks) in zip(studio.machines, before) {
      #expect(try machine.run().core.store.journal.forks == forks, "writing on forks nothing more")
    }
    #expect(try late.retired().isEmpty != mishap.retires)
    for machine in studio.machines { try expectUse(of: machine) }
  }

  /// Expects that commands, undo, redo and past views work.
  private func expectUse(of machine: Copyist) throws {
    let book = try machine.run()
    let (names, now) = (try machine.names(), try book.historyReader.history().entries.count)
    let moment = machine.machine.timekeeper.now().milliseconds
    machine.pass(milliseconds: 1_000)
    try machine.write("to be undone")
    _ = try book.undoEngine.undo()
    #expect(try machine.names() == names)
    _ = try book.undoEngine.redo()
    #expect(try machine.names() == (names + ["to be undone"]).sorted())
    _ = try book.undoEngine.undo()
    #expect(try book.view(at: moment).lists.lists().compactMap(\.name).sorted() == names)
    #expect(try book.historyReader.history().entries.count == now + 4)
    let status = try book.statusReader.status()
    #expect(status.isAdmitted && status.hasTrustedDevice)
    #expect(try book.verifier.verify().isWhole)
    try expectSteady(machine)
  }
}

extension CaseIterable where Self: Equatable {
  /// The index of the case.
  fileprivate var place: Int { Array(Self.allCases).firstIndex(of: self) ?? 0 }
}
