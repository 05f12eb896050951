import Daybook
import Foundation
import Journaling
import Platform
import PosixPlatform
import ReadModel
import SQLite
import SimulatedPlatform
import Testing

struct DiagnosisTests {
  /// The time in these tests: 2026-11-20, nine in the morning.
  private static let now: Int64 = 1_795_165_200_000

  private func desk(_ seed: UInt64) throws -> (desk: Desk, book: Book) {
    let desk = try Desk(seed: seed)
    desk.simulated.timekeeper.set(Moment(milliseconds: Self.now))
    let book = try desk.found()
    for number in 0..<5 {
      _ = try book.commands.perform(.addList(name: "list \(number)", colour: nil))
    }
    return (desk, book)
  }

  private func reopen(_ desk: Desk, _ disk: any Disk) throws -> Book {
    let machine = Machine(
      disk: disk, timekeeper: desk.machine.timekeeper, dice: desk.machine.dice,
      network: desk.machine.network)
    return try Book(at: Desk.folder, on: machine, view: .memory)
  }

  private static let healthy: [Finding] = [
    .chain(faults: 0, logs: 1, events: 6), .holes(events: 0), .trust(remembered: 0),
    .bodies(0), .forks([]), .poison(false), .clock(now: now, isSane: true), .future([]),
    .misdated(0),
    .lock(.free), .room(freeBytes: .max), .writing(nil), .view(.none), .peers([]),
    .contacts(.known(0)), .key(.usable), .permissions([]), .place(.local),
    .leftovers(Finding.Pile(files: 0, bytes: 0)),
    .quarantine(Finding.Pile(files: 0, bytes: 0)), .stranded(0), .incarnations(1),
    .readers(1, silent: []), .leftBehind([], canDecide: true), .waiting([], canDecide: true),
    .held([]), .quotas([]),
    .standing(.admitted, hasTrustedDevice: true),
  ]

  /// The findings that differ from those of a healthy book.
  private func symptoms(_ book: Book) throws -> [Finding] {
    try book.healthCheck.diagnose().findings.filter { !Self.healthy.contains($0) }
  }

  @Test func `Diagnosis: a healthy book has only good findings and is left unchanged`() throws {
    let (desk, book) = try desk(501)
    let before = desk.simulated.disk.files
    let diagnosis = try book.healthCheck.diagnose()
    #expect(diagnosis.findings == Self.healthy)
    #expect(diagnosis.findings.allSatisfy { $0.verdict == .ok })
    #expect(!diagnosis.hasProblem)
    // The diagnosis leaves no files behind.
    #expect(desk.simulated.disk.files == before)
  }

  @Test func `Diagnosis: damage and the hole it makes are problems`() throws {
    let (desk, _) = try desk(502)
    let file = try #require(
      desk.simulated.disk.files.first { $0.key.string.hasPrefix("/home/book/logs/") })
    desk.simulated.disk.rot(file.key, at: file.value.count / 2, flipping: 4)
    let diagnosis = try desk.open().healthCheck.diagnose()
    #expect(
      Array(diagnosis.findings.prefix(2)) == [
        .chain(faults: 2, logs: 1, events: 5), .holes(events: 1),
      ])
    #expect(diagnosis.findings.prefix(2).allSatisfy { $0.verdict == .problem })
    #expect(diagnosis.hasProblem)
  }

  @Test func `Diagnosis: implausible clocks are reported`() throws {
    let (desk, _) = try desk(503)
    // The clock of this machine was reset.
    desk.simulated.timekeeper.set(Moment(milliseconds: 1000))
    #expect(
      try symptoms(try desk.open()) == [
        .clock(now: 1000, isSane: false), .misdated(5),
      ])
    desk.simulated.timekeeper.set(Moment(milliseconds: Self.now - 86_400_000))
    #expect(
      try symptoms(try desk.open()) == [.clock(now: Self.now - 86_400_000, isSane: true)])
    #expect(Finding.clock(now: 1000, isSane: false).verdict == .problem)
    #expect(Finding.future([Finding.Counted(name: "x", count: 1)]).verdict == .note)
  }

  @Test func `Diagnosis: the lock, the failed-flush marker and the quarantine are reported`() throws
  {
    let (desk, book) = try desk(504)
    let disk = desk.machine.disk
    let token = try #require(try disk.lock(book.layout.lock)).token
    let holder = String(decoding: try disk.contents(of: book.layout.lock, limit: 64), as: UTF8.self)
    try disk.replace(book.layout.folder / "POISON", with: [])
    try disk.makeDirectories(book.layout.quarantine / "logs")
    try disk.replace(book.layout.quarantine / "logs" / "x", with: [1, 2, 3])
    #expect(
      try symptoms(book) == [
        .poison(true), .lock(.held(by: String(holder.dropLast()))),
        .quarantine(Finding.Pile(files: 1, bytes: 3)),
      ])
    #expect(Finding.poison(true).verdict == .problem)
    try disk.close(token)
    #expect(!(try symptoms(book).contains { if case .lock = $0 { true } else { false } }))
  }

  @Test func `Diagnosis: a full or read-only disk is a problem`() throws {
    let (desk, book) = try desk(505)
    desk.simulated.disk.becomeFull(afterBytes: 1 << 20)
    #expect(try symptoms(book) == [.room(freeBytes: 1 << 20)])
    desk.simulated.disk.becomeFull(afterBytes: 0)
    let probe = book.layout.folder / ".probe.draft"
    #expect(
      try symptoms(book) == [.room(freeBytes: 0), .writing(DiskError(.open, probe, .full))])
    desk.simulated.disk.clearWeather()
    desk.simulated.disk.becomeReadOnly()
    let refusal = DiskError(.open, probe, .readOnly)
    #expect(try symptoms(book) == [.lock(.unknown), .writing(refusal)])
    #expect(Finding.writing(refusal).verdict == .problem)
    #expect(Finding.room(freeBytes: (64 << 20) - 1).verdict == .problem)
    #expect(Finding.room(freeBytes: 64 << 20).verdict == .note)
    #expect(Finding.room(freeBytes: 1 << 30).verdict == .ok)
    #expect(Finding.room(freeBytes: nil).verdict == .ok)
  }

  @Test func `Diagnosis: a missing, unreadable or foreign key is a problem`() throws {
    let (desk, book) = try desk(511)
    let disk = desk.machine.disk
    let key = try #require(try disk.list(book.layout.keys).first)
    let path = book.layout.keys / key
    let (other, _) = try self.desk(512)
    let others = try #require(
      other.simulated.disk.files.first { $0.key.name.hasSuffix(".pem") }?.value)
    try disk.replace(path, with: others)
    #expect(try symptoms(try desk.open()) == [.key(.other(path))])
    try disk.replace(path, with: Array("no key".utf8))
    #expect(try symptoms(try desk.open()) == [.key(.unreadable(path))])
    try disk.remove(path)
    #expect(try symptoms(try desk.open()) == [.key(.missing(path))])
    #expect(Finding.key(.missing(path)).verdict == .problem)
  }

  @Test(arguments: [
    ("Dropbox", "Dropbox"), ("Dropbox (Old)", "Dropbox"), ("OneDrive - Work", "OneDrive"),
    ("Google Drive", "Google Drive"), ("My Drive", "Google Drive"), ("iCloudDrive", "iCloud"),
    ("Nextcloud", "Nextcloud"), ("syncthing", "Syncthing"), ("Dropboxes", nil), ("sync", nil),
  ])
  func `Diagnosis: a folder named like a sync program's may be copied`(
    name: String, program: String?
  ) throws {
    let (desk, _) = try desk(514)
    let parent = Path("/home") / name
    for (path, bytes) in desk.simulated.disk.files where path.string.hasPrefix("/home/book/") {
      let copy = Path(parent.string + path.string.dropFirst("/home".count))
      try desk.machine.disk.makeDirectories(copy.parent)
      try desk.machine.disk.replace(copy, with: bytes)
    }
    let book = try Book(at: parent / "book", on: desk.machine, view: .memory)
    let state = book.healthCheck.folderState()
    #expect(state == program.map { .perhapsCopied(parent, by: $0) } ?? .local)
    #expect(Finding.place(state).verdict == (program == nil ? .ok : .note))
    try desk.machine.disk.replace(parent / "book" / ".dropbox", with: [])
    #expect(book.healthCheck.folderState() == .copied(parent / "book", by: "Dropbox"))
  }

  @Test func `Diagnosis: a folder that a sync program copies is reported`() throws {
    let (desk, book) = try desk(506)
    // A home folder contains the settings of Dropbox even if it is not copied.
    try desk.machine.disk.makeDirectories(Path("/home/.dropbox"))
    #expect(try symptoms(book) == [])
    try desk.machine.disk.makeDirectories(Path("/home/.stfolder"))
    #expect(try symptoms(book) == [.place(.copied(Path("/home"), by: "Syncthing"))])
    try desk.machine.disk.replace(Path("/home/book/.dropbox"), with: [])
    #expect(try symptoms(book) == [.place(.copied(Path("/home/book"), by: "Dropbox"))])
    #expect(Finding.place(.copied(Path("/"), by: "")).verdict == .problem)
  }

  @Test func `Diagnosis: files open to other users and a remote disk are reported`() throws {
    let (desk, book) = try desk(507)
    let key = try #require(try desk.machine.disk.list(book.layout.keys).first)
    let path = book.layout.keys / key
    let disk = StrangeDisk(
      desk.simulated.disk, open: [book.layout.folder], strangers: [path], isRemote: true)
    #expect(
      try symptoms(try reopen(desk, disk)) == [
        .permissions([book.layout.folder, path]), .place(.remote),
      ])
    #expect(Finding.permissions([path]).verdict == .problem)
    #expect(Finding.place(.remote).verdict == .note)
  }

  @Test(arguments: [Access.write, .create])
  func `Diagnosis: a log that cannot be written to is reported`(access: Access) throws {
    let (desk, book) = try desk(511)
    let logs = book.layout.logs
    let disk = SealedDisk(desk.simulated.disk) { path, asked in
      asked == access && path.parent.parent == logs
    }
    let log = try #require(try desk.machine.disk.list(logs).first)
    let name = access == .write ? "000000000001.gz" : ".probe.draft"
    #expect(
      try symptoms(try reopen(desk, disk)) == [
        .writing(DiskError(.write, logs / log / name, .permission))
      ])
  }

  @Test func `Diagnosis: leftovers are counted, and tidying removes the old ones`() throws {
    let (desk, book) = try desk(508)
    let disk = desk.machine.disk
    let log = try #require(try disk.list(book.layout.folder / "logs").first)
    let old = [
      book.layout.folder / ".tmp-1", book.layout.folder / "logs" / log / ".x.draft",
    ]
    for path in old { try disk.replace(path, with: [1, 2]) }
    desk.simulated.timekeeper.advance(milliseconds: 3_600_000)
    let young = book.layout.folder / ".tmp-2"
    try disk.replace(young, with: [3])
    let now = Finding.clock(now: Self.now + 3_600_000, isSane: true)
    #expect(try symptoms(book) == [now, .leftovers(Finding.Pile(files: 3, bytes: 5))])
    let tidied = try book.healthCheck.diagnose(tidying: true)
    #expect(tidied.findings.contains(.leftovers(Finding.Pile(files: 1, bytes: 1))))
    #expect(tidied.removed.contains(old[0]))
    #expect(try old.map { try disk.status($0) } == [nil, nil])
    #expect(try disk.status(young) != nil)
  }

  @Test func `Diagnosis: remembered peers are counted, and a damaged list of peers is a problem`()
    throws
  {
    let (desk, book) = try desk(521)
    try book.contactBook.addPeer("stick", at: .directory(Path("/stick")))
    let readers = Finding.readers(1, silent: [], openFolders: [Path("/stick")])
    let new = FolderPeer(name: "stick", path: Path("/stick"), state: .lacking)
    #expect(try symptoms(book) == [.contacts(.known(1)), .folders([new]), readers])
    let path = Desk.folder / "contacts"
    for (bytes, fault): (String, ContactsFault) in [
      ("{\"peers\": 3}", .shape), ("{}", .shape),
    ] {
      try desk.simulated.disk.replace(path, with: Array(bytes.utf8))
      let found = try symptoms(book)
      #expect(found == [.contacts(.damaged(path, fault))])
      #expect(found.map(\.verdict) == [.problem])
      // The file is unchanged, because its content exists nowhere else.
      #expect(desk.simulated.disk.files[path] == Array(bytes.utf8))
    }
  }

  private func newcomer(_ name: String, in book: Book) throws -> Finding.Newcomer {
    Finding.Newcomer(
      name: name, fingerprint: try book.deviceList.device(called: name).fingerprint)
  }

  @Test func `Diagnosis: lagging peers and waiting devices are reported`() throws {
    let office = Office(seed: 509)
    let laptop = try office.found("laptop")
    _ = try laptop.commands.perform(.addList(name: "Home", colour: nil))
    _ = try laptop.replicator.sync(with: Office.directory)
    let desk = try office.join("desk")
    _ = try laptop.replicator.sync(with: Office.directory)
    #expect(
      try laptop.healthCheck.diagnose().findings.contains(
        .waiting([try newcomer("desk", in: laptop)], canDecide: true)))
    _ = try laptop.replicator.sync(with: Office.directory, admission: .always)
    #expect(try laptop.healthCheck.diagnose().findings.contains(.waiting([], canDecide: true)))
    _ = try desk.replicator.sync(with: Office.directory)
    let bundle = MountedDisk.stick(0) / "desk.bundle"
    _ = try desk.replicator.writeBundle(to: bundle)
    _ = try laptop.replicator.sync(with: .file(bundle))
    #expect(
      try laptop.healthCheck.diagnose().findings.contains(
        .peers([Finding.Counted(name: "desk", count: 0)])))
    _ = try laptop.commands.perform(.addList(name: "Work", colour: nil))
    let lagging = Finding.peers([Finding.Counted(name: "desk", count: 1)])
    #expect(try laptop.healthCheck.diagnose().findings.contains(lagging))
    #expect(lagging.verdict == .note)
    // Events that are sent to no device count as lacked by none.
    let waiting = try office.join("phone")
    _ = try waiting.commands.perform(.addList(name: "Mine", colour: nil))
    _ = try waiting.replicator.sync(with: Office.directory)
    _ = try laptop.replicator.sync(with: Office.directory)
    #expect(
      try laptop.healthCheck.diagnose().findings.contains(
        .waiting([try newcomer("phone", in: laptop)], canDecide: true)))
    #expect(try laptop.healthCheck.diagnose().findings.contains(lagging))
    _ = try laptop.revoker.revoke(try laptop.deviceList.device(called: "desk"))
    #expect(try laptop.healthCheck.diagnose().findings.contains(.peers([])))
  }

  @Test func `Diagnosis: the read model is checked, and drafts beside it are leftovers`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("diagnosis-\(UUID().uuidString)")
    // If this fails, only a temporary folder remains.
    defer { try? FileManager.default.removeItem(at: folder) }
    let simulated = SimulatedMachine(seed: 510)
    let machine = Machine(
      disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    func view(_ book: Book) throws -> Finding? {
      try book.healthCheck.diagnose().findings.first { if case .view = $0 { true } else { false } }
    }
    try machine.disk.makeDirectories(Path(folder.path))
    let place = Path(folder.path) / "book"
    let book = try BookFactory.create(at: place, on: machine, deviceName: "laptop")
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    #expect(try view(book) == .view(.current))
    try machine.disk.replace(Path(book.layout.view.string + ".0a1b2c3d"), with: [1])
    try machine.disk.replace(Path(book.layout.view.string + ".0a1b2c3d-wal"), with: [1])
    try machine.disk.replace(Path(book.layout.view.string + ".backup"), with: [1])
    #expect(
      try book.healthCheck.diagnose().findings.contains(
        .leftovers(Finding.Pile(files: 2, bytes: 2))))
    // Another process writes, and posts to its own read model.
    let other = try Book(at: place, on: machine, view: .memory)
    _ = try other.commands.perform(.addList(name: "Work", colour: nil))
    #expect(try view(try Book(at: place, on: machine)) == .view(.behind))
    func removeView() throws {
      for suffix in ["", "-wal", "-shm"] {
        let path = Path(book.layout.view.string + suffix)
        if try machine.disk.status(path) != nil { try machine.disk.remove(path) }
      }
    }
    try removeView()
    #expect(try view(try Book(at: place, on: machine)) == .view(.none))
    // The other checks have created the read model again. Remove it first, because its content may still be in the
    // write-ahead log.
    try removeView()
    try machine.disk.replace(book.layout.view, with: Array("no database".utf8))
    let found = try view(try Book(at: place, on: machine))
    #expect(found == .view(.damaged))
    #expect(Finding.view(.damaged).verdict == .problem)
  }

  @Test(arguments: ["DELETE FROM list", "DELETE FROM list; DELETE FROM entity WHERE kind = 1"])
  func `Diagnosis: a read model that lacks records of the logs is damaged`(script: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("diagnosis-\(UUID().uuidString)")
    // If this fails, only a temporary folder remains.
    defer { try? FileManager.default.removeItem(at: folder) }
    let simulated = SimulatedMachine(seed: 511)
    let machine = Machine(
      disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    let place = Path(folder.path)
    let book = try BookFactory.create(at: place, on: machine, deviceName: "laptop")
    for name in ["Home", "Work"] {
      _ = try book.commands.perform(.addList(name: name, colour: nil))
    }
    #expect(try book.healthCheck.diagnose().findings.contains(.view(.current)))
    try Connection(.file(book.layout.view.string, .readWriteCreate)).execute(script)
    let findings = try Book(at: place, on: machine).healthCheck.diagnose().findings
    #expect(findings.contains(.view(.damaged)))
    try Book(at: place, on: machine).core.projector.rebuild()
    #expect(
      try Book(at: place, on: machine).healthCheck.diagnose().findings.contains(.view(.current)))
  }
}
