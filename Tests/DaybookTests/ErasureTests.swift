import Bytes
import Daybook
import Domain
import Foundation
import Journaling
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

/// Erased records leave no trace, and everything else stays unchanged.
struct ErasureTests {
  private static let bundle = MountedDisk.stick(0) / "late.bundle"

  /// Machines that all hold one birthday; three of them have each written one of its fields.
  private func office(seed: UInt64) throws -> (office: Office, id: UniqueID) {
    let office = Office(seed: seed)
    let one = try office.found("one")
    _ = try one.commands.perform(.addList(name: "Harmless", colour: nil))
    let added = try one.commands.perform(
      .addBirthday(firstName: "Erstgeheim", lastName: nil, birthdate: nil))
    let id = try #require(added.changes.first).document.id
    _ = try one.replicator.sync(with: Office.directory)
    for name in ["two", "three", "four"] { _ = try office.join(name) }
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    for book in office.books { _ = try book.replicator.sync(with: Office.directory) }
    try edit(office.books[1], id, Field.Birthday.lastName, "Zweitgeheim")
    try edit(office.books[2], id, Field.note, "Drittgeheim")
    try exchange(office.books)
    return (office, id)
  }

  private func edit(_ book: Book, _ id: UniqueID, _ field: Field, _ text: String) throws {
    _ = try book.commands.perform(.edit(id, [Request.Assignment(field, .value(.text(text)))]))
  }

  private func exchange(_ books: [Book]) throws {
    for book in books + books { _ = try book.replicator.sync(with: Office.directory) }
  }

  /// The words that occur in any file of a disk, compressed or not.
  private func found(_ words: [String], on disk: SimulatedDisk) -> [String] {
    disk.holding(words)
  }

  private static let words = ["Erstgeheim", "Zweitgeheim", "Drittgeheim", "Spaetgeheim"]

  @Test func `Erasure: a record that three machines wrote disappears from every disk`() throws {
    let (office, id) = try office(seed: 901)
    let near = Array(office.books[0...2])
    // The fourth machine is offline and continues to edit the record.
    try edit(office.books[3], id, Field.Birthday.firstName, "Spaetgeheim")
    let erased = try near[1].eraser.erase(id)
    #expect(erased.records == 1 && erased.bodies == 3 && erased.isCommon && !erased.wasErased)
    try exchange(near)

    for place in office.places.dropLast() {
      #expect(found(Self.words, on: place.simulated.disk) == [])
      #expect(found(["Harmless"], on: place.simulated.disk) == ["Harmless"])
    }
    for book in near { #expect(try book.verifier.verify().faults.isEmpty) }
    #expect(Set(try near.map { try $0.statusReader.digest() }).count == 1)
    #expect(try near[0].view().birthdays.birthdays().isEmpty)

    // Its events arrive late, and are stripped before they are stored.
    _ = try office.books[3].replicator.writeBundle(to: Self.bundle)
    _ = try near[0].replicator.sync(with: .file(Self.bundle))
    #expect(found(Self.words, on: office.places[0].simulated.disk) == [])
    try exchange(office.books)
    for place in office.places { #expect(found(Self.words, on: place.simulated.disk) == []) }
    for book in office.books { #expect(try book.verifier.verify().faults.isEmpty) }
    #expect(Set(try office.books.map { try $0.statusReader.digest() }).count == 1)
    let rebuilt = try office.places[0].open()
    #expect(try rebuilt.statusReader.digest() == near[0].statusReader.digest())
    // The files of the directory have been replaced, too.
    try office.stick.remove(Self.bundle)
    #expect(found(Self.words, on: office.stick) == [])
    #expect(found(["Harmless"], on: office.stick) == ["Harmless"])
  }

  @Test func `Erasure: an erased record stays erased after a concurrent restore`() throws {
    let (office, id) = try office(seed: 902)
    let (one, two) = (office.books[0], office.books[1])
    _ = try two.commands.perform(.delete([id]))
    _ = try one.eraser.erase(id)
    _ = try two.commands.perform(.restore([id]))
    try exchange(office.books)
    for book in office.books {
      #expect(try book.view().birthdays.birthdays().isEmpty)
      #expect(try book.finder.document(withID: id) == nil)
      #expect(throws: DaybookError.self) { try book.commands.perform(.restore([id])) }
      do {
        _ = try book.finder.find(ShortID.text(of: id), among: .all)
        Issue.record("an erased record was found")
      } catch DaybookError.erased {
        // This is the expected error.
      }
    }
    #expect(try one.eraser.erase(id).wasErased)
  }

  @Test func `Erasure: to-dos of an erased deleted list are deleted themselves, by one command`()
    throws
  {
    let office = Office(seed: 1933)
    let book = try office.found("one")
    let list = try #require(
      try book.commands.perform(.addList(name: "Geheimliste", colour: nil)).changes.first
    ).document.id
    let todos = try ["Eins", "Zwei"].map { title in
      let request = Request.addTodo(title: title, list: .existing(list), priority: nil, due: nil)
      return try #require(try book.commands.perform(request).changes.first).document.id
    }
    _ = try book.commands.perform(.delete([list]))
    let report = try book.eraser.erase(list)
    #expect(report.records == 1 && report.keptDeleted == 2)
    for id in todos { #expect(try book.finder.document(withID: id)?.isAlive == false) }
    #expect(try book.view().todos.todos().isEmpty)
    #expect(found(["Geheimliste"], on: office.places[0].simulated.disk) == [])
    #expect(try office.places[0].open().statusReader.digest() == book.statusReader.digest())
    // A second erase changes nothing.
    #expect(try book.eraser.erase(list).keptDeleted == 0)
  }

  @Test func `Erasure: erasing a question erases its choices and picks`() throws {
    let office = Office(seed: 903)
    let book = try office.found("one")
    let added = try book.commands.perform(
      .addQuestion(content: "Geheimfrage", choices: [("Geheimwahl", 1), ("Geheimqual", 2)]))
    let question = try #require(added.changes.first { $0.document.kind == .question }).document.id
    _ = try book.commands.perform(.pick(question))
    _ = try book.commands.perform(.addList(name: "Harmless", colour: nil))
    let report = try book.eraser.erase(question)
    #expect(report.records == 4 && report.bodies == 4)
    let disk = office.places[0].simulated.disk
    #expect(found(["Geheimfrage", "Geheimwahl", "Geheimqual"], on: disk) == [])
    #expect(try book.verifier.verify().faults.isEmpty)
    #expect(try office.places[0].open().statusReader.digest() == book.statusReader.digest())
    #expect(try book.historyReader.history().entries.filter(\.isErased).count == 4)
  }

  @Test
  func `Erasure: one command erases several records, including one that another of them owns`()
    throws
  {
    let office = Office(seed: 916)
    let book = try office.found("one")
    let list = try book.commands.perform(.addList(name: "Geheim", colour: nil))
    let added = try book.commands.perform(
      .addQuestion(content: "Geheimfrage", choices: [("Geheimwahl", 1)]))
    let ids = (list.changes + added.changes).map(\.document.id)
    let report = try book.eraser.erase(ids + ids)
    #expect(report.records == 3 && report.bodies == 3 && !report.wasErased)
    let disk = office.places[0].simulated.disk
    #expect(found(["Geheim", "Geheimfrage", "Geheimwahl"], on: disk) == [])
    let own = try #require(try book.deviceList.devices().first(where: \.isThis)).replica
    let last = book.core.store.journal.end(of: own, on: .logs)?.sequence ?? 0
    var reader = try book.core.store.journal.reader(of: own, from: last - 2)
    let frame = try #require(try reader.read()).frame
    let erases = frame.events.filter { $0.sequence > last - 3 }.map { Int($0.more) }
    #expect(erases == [2, 0, 0])
    #expect(try book.eraser.erase(ids).wasErased)
  }

  @Test func `Undo past an erasure: it is refused by default and skips erased records`() throws {
    let office = Office(seed: 904)
    let book = try office.found("one")
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    let added = try book.commands.perform(.addList(name: "Geheim", colour: nil))
    _ = try book.eraser.erase(try #require(added.changes.first).document.id)
    let refusal = #expect(throws: DaybookError.self) { try book.undoEngine.undo() }
    guard case .erasureInTheWay? = refusal else {
      Issue.record("the undo is refused for another reason")
      return
    }
    let undone = try book.undoEngine.undo(pastErasure: true)
    #expect(undone.flatMap(\.changes).map(\.verb) == [.delete])
    #expect(undone.map(\.passesErasure) == [true])
    #expect(try book.view().lists.lists().isEmpty)
    #expect(throws: DaybookError.self) { try book.undoEngine.undo() }
    #expect(try book.undoEngine.redo().map(\.passesErasure) == [false])
    #expect(try book.view().lists.lists().map(\.name) == ["Home"])
  }

  @Test func `Undo past an erasure: more commands than exist are refused`() throws {
    let office = Office(seed: 929)
    let book = try office.found("one")
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    let added = try book.commands.perform(.addList(name: "Geheim", colour: nil))
    _ = try book.eraser.erase(try #require(added.changes.first).document.id)
    _ = try book.commands.perform(.addList(name: "Work", colour: nil))
    let refusal = #expect(throws: DaybookError.self) {
      try book.undoEngine.undo(3, pastErasure: true)
    }
    guard case .fewerCommands(2)? = refusal else {
      Issue.record("the undo is refused for another reason: \(String(describing: refusal))")
      return
    }
    #expect(try book.view().lists.lists().map(\.name) == ["Home", "Work"])
    #expect(try book.undoEngine.undo(2, pastErasure: true).count == 2)
    #expect(try book.view().lists.lists().isEmpty)
  }

  @Test(arguments: [true, false])
  func `Undo past an erasure: only the step before the erasure is reported as passing it`(
    isAtOnce: Bool
  ) throws {
    let office = Office(seed: 930)
    let book = try office.found("one")
    let added = try book.commands.perform(.addList(name: "Geheim", colour: nil))
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    _ = try book.eraser.erase(try #require(added.changes.first).document.id)
    _ = try book.commands.perform(.addList(name: "Work", colour: nil))
    let undone =
      try isAtOnce
      ? book.undoEngine.undo(2, pastErasure: true)
      : book.undoEngine.undo() + book.undoEngine.undo(pastErasure: true)
    #expect(undone.map(\.passesErasure) == [false, true])
    #expect(try book.view().lists.lists().isEmpty)
  }

  @Test func `Erasure: one by an unadmitted device hides the record, and its admission strips it`()
    throws
  {
    let office = Office(seed: 905)
    let one = try office.found("one")
    let added = try one.commands.perform(.addList(name: "Geheim", colour: nil))
    let id = try #require(added.changes.first).document.id
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    let report = try two.eraser.erase(id)
    #expect(!report.isCommon && report.bodies == 0)
    #expect(try two.view().lists.lists().isEmpty)
    #expect(found(["Geheim"], on: office.places[1].simulated.disk) == ["Geheim"])
    _ = try two.replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory)
    #expect(try one.view().lists.lists().count == 1)
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    _ = try two.replicator.sync(with: Office.directory)
    for place in office.places { #expect(found(["Geheim"], on: place.simulated.disk) == []) }
    #expect(try one.statusReader.digest() == two.statusReader.digest())
  }

  @Test func `Erasure: all traces vanish from the read model's files`() throws {
    let simulated = SimulatedMachine(seed: 908)
    let machine = Machine(
      disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    let folder = FileManager.default.temporaryDirectory.appending(path: "erasure-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = Path(folder.path())
    _ = try BookFactory.create(at: path, on: machine, deviceName: "one").commands.perform(
      .addList(name: "Harmless", colour: nil))
    // Each command closes the file, and leaves its changes in the write-ahead log.
    let added = try Book(at: path, on: machine).commands.perform(
      .addList(name: "Geheim", colour: nil))
    // A killed rebuild leaves such a file behind.
    try machine.disk.replace(path / "view.sqlite.0badcafe", with: Array("Geheim".utf8))
    func holders(of word: String) throws -> [String] {
      try machine.disk.list(path).filter { name in
        guard name.hasPrefix("view.sqlite") else { return false }
        return try machine.disk.contents(of: path / name, limit: 1 << 26).holds(Array(word.utf8))
      }
    }
    #expect(try Set(holders(of: "Geheim")) == ["view.sqlite.0badcafe", "view.sqlite-wal"])
    do {
      let book = try Book(at: path, on: machine)
      _ = try book.eraser.erase(try #require(added.changes.first).document.id)
      #expect(try holders(of: "Geheim") == [])
    }
    #expect(try holders(of: "Geheim") == [])
    #expect(try !holders(of: "Harmless").isEmpty)
  }

  @Test(arguments: [Survival.nothing, .everything])
  func `Erasure: an interrupted erasure is completed by the next one`(survival: Survival) throws {
    let simulated = SimulatedMachine(seed: 906)
    try simulated.disk.makeDirectories(Path("/etc"))
    let book = try BookFactory.create(
      at: Office.folder, on: simulated.machine, deviceName: "one", view: .memory)
    let added = try book.commands.perform(.addList(name: "Geheim", colour: nil))
    let id = try #require(added.changes.first).document.id
    var call = 0
    while true {
      call += 1
      let disk = simulated.disk.copy()
      let machine = Machine(
        disk: disk, timekeeper: simulated.timekeeper, dice: Seeded(seed: 7),
        network: simulated.network)
      let first = try Book(at: Office.folder, on: machine, view: .memory)
      disk.failCall(call, with: .io, .fromThenOn)
      let report = try? first.eraser.erase(id)
      let isDone = report.map { $0.failure == nil } ?? false
      disk.crash(keeping: survival)
      disk.clearWeather()
      let second = try Book(at: Office.folder, on: machine, view: .memory)
      _ = try second.eraser.erase(id)
      #expect(found(["Geheim"], on: disk) == [])
      #expect(try second.verifier.verify().faults.isEmpty)
      #expect(try second.view().lists.lists().isEmpty)
      if isDone { break }
    }
    #expect(call > 5)
  }

  @Test func `Erasure: a received frame is judged by the erasures of this book`() throws {
    let (office, id) = try office(seed: 907)
    let book = office.books[0]
    let log = book.replica.hello.replica
    func frames() throws -> [Frame] {
      var chain = Chain()
      var frames: [Frame] = []
      try BookReplica(of: book.replica).forEachFrame(of: log, lackedBy: []) { bytes in
        if let frame = try? Frame.decode(bytes.span, at: 0, &chain) { frames.append(frame) }
      }
      return frames
    }
    let before = try frames()
    for frame in before { #expect(try book.judge.verdict(on: frame, of: log).isClean) }
    _ = try book.eraser.erase(id)
    #expect(try before.contains { try book.judge.verdict(on: $0, of: log).hasBodyToStrip })
    for frame in try frames() {
      #expect(try book.judge.verdict(on: frame, of: log).isClean)
      #expect(try !office.books[3].judge.verdict(on: frame, of: log).hasBodyToStrip)
    }
    let elsewhere = try frames().map { try office.books[3].judge.verdict(on: $0, of: log) }
    #expect(elsewhere.contains { $0.hasUnexplained })
  }
}
