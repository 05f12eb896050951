import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import TestDice
import Verifying

/// Devices with copies of one book, which act at random.
struct Fleet {
  static let stick = PeerAddress.directory(Path("/stick"))

  let simulated: SimulatedMachine
  private var dice: TestDice.Dice
  private(set) var books: [Book] = []
  /// The records that any device has added.
  private var records: [UniqueID] = []

  init(seed: UInt64, deviceCount: Int, stepCount: Int) throws {
    simulated = SimulatedMachine(seed: seed)
    dice = TestDice.Dice(seed: seed)
    let machine = simulated.machine
    try machine.disk.makeDirectories(Path("/etc"))
    try machine.disk.replace(Path("/etc/machine-id"), with: Array("fleet\n".utf8))
    try machine.disk.makeDirectories(Path("/stick"))
    books.append(
      try BookFactory.create(
        at: Self.folder(0), on: machine, deviceName: "device 0", view: .memory))
    for number in 1..<deviceCount {
      try books[0].sync(all: ())
      let joined = try BookFactory.join(
        at: Self.folder(number), from: Self.stick, on: machine, deviceName: "device \(number)",
        view: .memory, confirm: { _ in true })
      books.append(joined.book)
    }
    for _ in 0..<stepCount { try step() }
    // Damage comes last, because a later sync would recover the lost events.
    if seed % 3 == 0 { try damage() }
    for number in books.indices { try reopen(number) }
  }

  static func folder(_ number: Int) -> Path { Path("/books/\(number)") }

  private mutating func step() throws {
    simulated.timekeeper.advance(milliseconds: Int64(dice.number(5_000)))
    let number = dice.number(books.count)
    switch dice.number(24) {
    case 0..<5: try books[number].sync(all: ())
    case 5: try importSome(into: number)
    case 6: try writeStrange(number)
    case 7 where dice.chance(30): try revoke(by: number)
    case 8, 11:
      if books.count < 5 { try clone(number) }
    case 9: erase(by: number)
    case 10 where dice.chance(30): try change(number)
    default: perform(number)
    }
  }

  /// Performs a random request; a device refuses requests about records that it does not know.
  private mutating func perform(_ number: Int) {
    guard let request = request() else { return }
    guard let done = try? books[number].commands.perform(request) else { return }
    records += done.changes.filter { $0.verb == .add }.map(\.document.id)
  }

  private mutating func request() -> Request? {
    let text = "text \(dice.number(6))"
    switch dice.number(10) {
    case 0: return .addBirthday(firstName: text, lastName: nil, birthdate: nil)
    case 1: return .addList(name: text, colour: Int64(dice.number(9)))
    case 2: return .addTodo(title: text, list: .new(name: "list"), priority: 1, due: nil)
    case 3:
      let choices: [(name: String, weight: Int64)] = [("yes", 2), ("no", 1)]
      return .addQuestion(content: text, choices: choices)
    default: break
    }
    let familiar = dice.chance(50) ? Array(records.suffix(3)) : records
    guard let record = dice.pick(familiar) else { return nil }
    switch dice.number(10) {
    case 0: return .delete([record])
    case 1: return .restore([record])
    case 2: return .setDone([record], dice.chance(50))
    case 3: return .pick(record)
    case 4:
      guard let list = dice.pick(records) else { return nil }
      return .edit(record, [.init(Field.Todo.list, .record(list))])
    case 5: return .edit(record, [.init(.tags, .value(.texts([text, "tag"])))])
    case 6: return .edit(record, [.init(.note, .value(dice.chance(50) ? .null : .text(text)))])
    default: return .edit(record, [.init(Field(rawValue: 5), .value(.text(text)))])
    }
  }

  /// Imports records with uids that other devices may import, too.
  private mutating func importSome(into number: Int) throws {
    let lines = (0..<3).map { _ in
      let id = dice.number(5)
      return #"{"t":\#(id),"op":"add","kind":"list","id":"uid \#(id)","name":"\#(dice.number(3))"}"#
    }
    _ = try books[number].importer.importOperations(Array(lines.joined(separator: "\n").utf8))
  }

  // MARK: Incidents

  /// Copies a book with its keys, like a copy of the disk.
  ///
  /// Both books then write the same log.
  private mutating func clone(_ number: Int) throws {
    let (from, to) = (Self.folder(number).string + "/", Self.folder(books.count).string + "/")
    let disk = simulated.disk
    for (path, bytes) in disk.files where path.string.hasPrefix(from) {
      let copy = Path(to + path.string.dropFirst(from.count))
      try disk.makeDirectories(copy.parent)
      try disk.replace(copy, with: bytes)
    }
    books.append(try Book(at: Self.folder(books.count), on: simulated.machine, view: .memory))
    perform(books.count - 1)
    perform(number)
  }

  /// Erases a record, which other devices may still edit.
  private mutating func erase(by number: Int) {
    guard let record = dice.pick(records) else { return }
    // The device refuses to erase a record that it does not know.
    _ = try? books[number].eraser.erase(record)
  }

  /// Gives a device a new key, revokes a device, or founds the book again.
  private mutating func change(_ number: Int) throws {
    switch dice.number(4) {
    case 0..<2: _ = try books[number].admin.rekey()
    case 2:
      let others = try books[number].deviceList.devices().filter { !$0.isThis }
      // The revocation may be refused, for example if the device is already revoked.
      if let other = dice.pick(others) { _ = try? books[number].revoker.revoke(other) }
    default:
      let others = try books[number].deviceList.devices().filter {
        !$0.isThis && $0.standing != .revoked
      }
      let along = dice.pick(others).map { [$0.replica.hex] } ?? []
      try books[number].refounder.found(anew: books[number].refounder.newFounding(with: along))
    }
  }

  /// Flips a bit in a log of each device.
  private mutating func damage() throws {
    for number in books.indices {
      let prefix = Self.folder(number).string + "/logs/"
      let files = simulated.disk.files.filter { $0.key.string.hasPrefix(prefix) }
      guard let path = dice.pick(files.keys.sorted()), let bytes = files[path] else { continue }
      // The first frame stays intact, because it identifies the device that wrote the log.
      guard bytes.count > 600 else { continue }
      simulated.disk.rot(path, at: 300 + dice.number(bytes.count - 300), flipping: 4)
      try reopen(number)
      _ = try books[number].verifier.verify()
    }
  }

  /// Removes a log of another device, or a branch of one, from a book.
  ///
  /// - Returns: The book; nil if it has no such log.
  mutating func lose(from number: Int) throws -> Book? {
    let (disk, path) = (simulated.disk, Self.folder(number) / "book.json")
    let file = try BookFile(parsing: disk.contents(of: path, limit: 1 << 16))
    let own = Set(file.writers.values.map(\.hex))
    let logs = Self.folder(number).string + "/logs/"
    let folders = Set(disk.files.keys.filter { $0.string.hasPrefix(logs) }.map(\.parent))
    let others = folders.filter { !own.contains($0.name) && !own.contains($0.parent.name) }
    guard let lost = dice.pick(others.sorted()) else { return nil }
    for path in disk.files.keys where path.string.hasPrefix(lost.string + "/") {
      try disk.remove(path)
    }
    try reopen(number)
    return books[number]
  }

  // MARK: Events that users do not write

  /// Writes events of newer versions, and aliases that the program never writes.
  private mutating func writeStrange(_ number: Int) throws {
    var added: [UInt64] = []
    guard let own = try ownLog(number) else { return }
    try journal(number).forEachEvent(of: own) { event, _ in
      if event.verb == 0 { added.append(event.sequence) }
    }
    guard let one = dice.pick(added), let two = dice.pick(added) else { return }
    let bodies: [CBORValue] = [
      .array([.unsigned(4), .unsigned(one), .unsigned(5), .array([.unsigned(two)])]),
      .array([.unsigned(0), .unsigned(77), .unsigned(5), .array([.unsigned(one)])]),
      .array([.unsigned(7), .unsigned(one)]),
      .array([.unsigned(1), .unsigned(one), .unsigned(40), .array([.unsigned(9), .unsigned(1)])]),
      .array([.unsigned(1), .unsigned(one), .unsigned(41), .array([.unsigned(two)])]),
      .array([.unsigned(1), .unsigned(one), .unsigned(5), .text("a"), .unsigned(5), .text("b")]),
      .array([.unsigned(1), .unsigned(one), .unsigned(5)]),
      .array([.unsigned(2), .array([.unsigned(99), .unsigned(1)])]),
    ]
    guard let body = dice.pick(bodies + Self.excessive(one) + Self.senseless(one)) else { return }
    try write([CBORValue.encode(body)], number)
  }

  /// Edits of an entity with one value beyond its limit and one exactly at its limit.
  private static func excessive(_ entity: UInt64) -> [CBORValue] {
    func text(_ count: Int) -> CBORValue { .text(String(repeating: "x", count: count)) }
    func map(_ count: Int) -> CBORValue { .map([.init(key: .text("k"), value: text(count - 6))]) }
    let pairs: [(tooMuch: (UInt64, CBORValue), most: (UInt64, CBORValue))] = [
      ((5, text(4_097)), (2, text(65_536))), ((2, text(65_537)), (5, text(4_096))),
      ((4, map(65_537)), (41, map(4_096))), ((40, map(4_097)), (4, map(65_536))),
      (
        (3, .array(Array(repeating: text(1), count: 65))),
        (9, .array(Array(repeating: text(256), count: 64)))
      ),
      ((6, .unsigned(1 << 53 + 1)), (255, .null)), ((256, .unsigned(1)), (6, .unsigned(1 << 53))),
    ]
    return pairs.map { tooMuch, most in
      .array([
        .unsigned(1), .unsigned(entity), .unsigned(tooMuch.0), tooMuch.1, .unsigned(most.0), most.1,
      ])
    }
  }

  /// Bodies without effect, some of which refer to a record.
  private static func senseless(_ record: UInt64) -> [CBORValue] {
    let (neutral, landmark): (CBORValue, [CBORValue]) = (
      .bytes([1] + [UInt8](repeating: 0, count: 31)),
      [.bytes([UInt8](repeating: 1, count: 16)), .unsigned(0)]
    )
    let key: CBORValue = .bytes([UInt8](repeating: 7, count: 32))
    let bodies: [[CBORValue]] = [
      [.unsigned(9)], [.unsigned(9), neutral, .text("neutral")],
      [.unsigned(10), key, .unsigned(5)],
      [.unsigned(10), key, .array([.array(landmark)])], [.unsigned(11)] + landmark,
      [.unsigned(12)], [.unsigned(12), .array([.unsigned(record)])], [.unsigned(12), .unsigned(0)],
      [.unsigned(13), key], [.unsigned(16), .unsigned(record)], [.unsigned(17)], [.unsigned(19)],
      [.unsigned(1), .unsigned(record), .unsigned(6), .array([.unsigned(0)])],
      [.unsigned(1), .unsigned(1 << 62), .unsigned(5), .text("c")],
      [.unsigned(1), .unsigned(record), .text("name"), .text("d")],
    ]
    return bodies.map(CBORValue.array)
  }

  /// Revokes another device and keeps its events up to a place, its events up to a place with a wrong hash, or none of
  /// its events.
  private mutating func revoke(by number: Int) throws {
    guard let own = try ownLog(number) else { return }
    let journal = try journal(number)
    guard let other = dice.pick(journal.logs.keys.sorted().filter { $0 != own }) else { return }
    var key: PublicKey?
    var hashes: [UniqueID] = []
    try journal.forEachEvent(of: other) { event, body in
      hashes.append(event.hash.prefix16)
      if case .open(let opening)? = try TrustVerb.decode(body.span) { key = opening.publicKey }
    }
    guard let key else { return }
    let last = dice.number(hashes.count)
    let hash = dice.chance(80) ? hashes[last] : UniqueID(high: 0, low: 0)
    let sequence = journal.lineage(of: other).first + UInt64(last)
    let kept = Landmark(log: other, sequence: sequence, hash: hash)
    let revocation = TrustVerb.revoke(key, kept: dice.chance(80) ? [kept] : [])
    try write([revocation.encode()], number)
  }

  /// The log that a device writes, or nil if the device must begin a new log.
  private func ownLog(_ number: Int) throws -> UniqueID? {
    let path = Self.folder(number) / "book.json"
    let file = try BookFile(parsing: simulated.disk.contents(of: path, limit: 1 << 16))
    let journal = try journal(number)
    return file.writers.values.first { journal.logs[$0] != nil && !journal.isForked($0) }
  }

  private func journal(_ number: Int) throws -> Journal {
    try Journal(at: Self.folder(number), on: simulated.machine)
  }

  private mutating func write(_ bodies: [[UInt8]], _ number: Int) throws {
    let folder = Self.folder(number)
    guard let id = try ownLog(number) else { return }
    let pem = try simulated.disk.contents(of: folder / "keys" / "\(id.hex).pem", limit: 4_096)
    let keys = try DeviceKeys(pem: String(decoding: pem, as: UTF8.self))
    var journal = try journal(number)
    let time = max(
      simulated.timekeeper.now().milliseconds, journal.logs[id]?.time ?? 0)
    let command = Journaling::Command(time: time, events: bodies.map { NewEvent(body: $0) })
    _ = try journal.append([command], to: id, keys: keys)
    try reopen(number)
  }

  private mutating func reopen(_ number: Int) throws {
    books[number] = try Book(at: Self.folder(number), on: simulated.machine, view: .memory)
  }
}

extension Book {
  /// Syncs with the directory and admits every device found there.
  fileprivate func sync(all: Void) throws {
    _ = try replicator.sync(with: Fleet.stick, admission: .always)
  }
}

extension Journal {
  /// Calls `visit` with each event of a log and its body.
  borrowing func forEachEvent(
    of log: UniqueID, _ visit: (EventRecord, [UInt8]) throws -> Void
  ) throws {
    var reader = try reader(of: log)
    let own = lineage(of: log).first...(logs[log]?.sequence ?? .max)
    while let read = try reader.read() {
      for event in read.frame.events where own.contains(event.sequence) {
        try visit(event, Array(read.frame.content[event.body]))
      }
    }
  }
}
