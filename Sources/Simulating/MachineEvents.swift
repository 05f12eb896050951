import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing

/// Weather that affects whole machines and their users: backups, copies, new keys, revocations, erasures and forgeries.
struct MachineEvents {
  let world: World

  /// Makes a backup of a station, or restores the station's latest backup.
  func restore(_ station: Station, _ dice: Seeded) throws {
    guard let backup = station.backup, dice.chance(60) else {
      let copy = station.disk.copy()
      copy.kill()
      copy.clearWeather()
      station.backup = copy
      return world.note("\(station.name) is backed up")
    }
    world.count(.backups)
    Acting(world: world).die(station)
    let isWitnessed = dice.chance(50)
    try Audit(world: world).witness(station)
    station.replaceDisk(by: backup, keepingWitness: isWitnessed)
    let held = try Audit(world: world).look(station, station.durable).hashes
    station.promised = held
    station.erasures.forgetFiles()
    if try goesOnUnwarned(station, holding: held) { world.mayFork = true }
    try noteLack(of: station)
    world.note("\(station.name) is restored, \(isWitnessed ? "with" : "without") its witness")
    // After half of the restores, the user continues to write immediately.
    guard dice.chance(50) else { return }
    let deed = Deed(dice, number: world.step)
    try Acting(world: world).act(on: station, "writes", dice) { book throws(DaybookError) in
      try deed.perform(on: book)
    }
  }

  /// Records the last event of the station's log that the witness knows.
  ///
  /// After the restore, no other file contains information about this event.
  private func noteLack(of station: Station) throws {
    station.lacking = [:]
    guard let log = try station.writtenLog() else { return }
    station.lacking[log] = max(station.lacking[log] ?? 0, station.witnessedEnd(of: log))
  }

  /// Whether the given station continues a log although it lacks events of the log, none of which its witness covers.
  ///
  /// The witness's entries for other logs do not warn the station. The witness is never flushed, so it can be outdated
  /// after a power cut.
  private func goesOnUnwarned(_ station: Station, holding held: Set<Digest>) throws -> Bool {
    guard let log = try station.writtenLog() else { return false }
    let lacking = world.issued.filter {
      $0.value.hasPrefix(log.hex.prefix(8)) && !held.contains($0.key)
    }
    return !lacking.isEmpty && !station.witnesses(lacking.keys)
  }

  /// Copies the given station to a new machine.
  ///
  /// In half of the cases, the copy has the same machine identity.
  func clone(_ station: Station, _ dice: Seeded) throws {
    guard world.stations.count < 6 else { return }
    world.count(.clones)
    let copy = try world.makeStation(identified: false)
    copy.replaceDisk(by: station.disk, keepingWitness: false)
    copy.damages = station.damages
    let isTwin = dice.chance(50)
    if isTwin { world.mayFork = true }
    if !isTwin { try copy.identify(as: "\(copy.name) \(world.scenario.seed)") }
    copy.promised = try Audit(world: world).look(copy, copy.durable).hashes
    world.note(
      "\(copy.name) is a copy of \(station.name)\(isTwin ? ", with the same machine identity" : "")"
    )
  }

  /// Creates a new station that joins the book on stick 0.
  func welcome(_ dice: Seeded) throws {
    guard world.stations.count < 6 else { return }
    let station = try world.makeStation()
    do throws(DaybookError) {
      _ = try station.join(from: 0)
    } catch {
      // Joining can fail if files on the stick were changed or removed.
      world.stations.removeLast()
      return world.note("\(station.name) cannot join: \(error)")
    }
    world.count(.newcomers)
    world.note("\(station.name) joins")
    try Audit(world: world).witness(station, isAcknowledged: true)
    try Audit(world: world).audit(station)
  }

  /// Makes a station revoke the device of another station, which is never the founder.
  func revoke(by station: Station, _ other: Station, _ dice: Seeded) throws {
    guard other.number > 0, other !== station else { return }
    let ending = try Acting(world: world).act(on: station, "revokes \(other.name)", dice) {
      book throws(DaybookError) in
      let device = try book.deviceList.device(called: other.name)
      guard device.standing != .founder else { return "nothing, nobody" }
      _ = try book.revoker.revoke(device)
      return "revoked"
    }
    // The revocation may have been written even if an error followed.
    guard ending != .refused else { return }
    noteRevocation()
    if ending == .done { world.count(.revocations) }
  }

  /// Records that a device has been revoked.
  ///
  /// The erasures by that device may be undone, so records that stations have erased may reappear.
  func noteRevocation() {
    world.hasRevoked = true
    for station in world.stations { station.erasures.erased = [] }
  }

  /// Makes `station` take a new key, or makes `other` revoke a former key of a device.
  ///
  /// The revoking station may not have received all events under the key, or may not have received the key that
  /// replaced it.
  func rekey(_ station: Station, or other: Station, _ dice: Seeded) throws {
    guard dice.chance(55) else { return try revokeFormerKey(by: other, dice) }
    let ending = try Acting(world: world).act(on: station, "takes a new key", dice) {
      book throws(DaybookError) in
      try book.admin.rekey().isAdmitted ? "admitted" : "waiting"
    }
    if ending == .done { world.count(.rekeys) }
  }

  private func revokeFormerKey(by station: Station, _ dice: Seeded) throws {
    let ending = try Acting(world: world).act(on: station, "revokes a former key", dice) {
      book throws(DaybookError) in
      let former = try book.deviceList.devices().filter {
        $0.isFormerKey && $0.branch == nil && ($0.standing == .admitted || $0.standing == .waiting)
      }
      guard let device = dice.pick(former) else { return "nothing, nobody" }
      _ = try book.revoker.revoke(device)
      return "revoked \(device.replica.hex.prefix(8))"
    }
    guard ending != .refused else { return }
    noteRevocation()
    if ending == .done { world.count(.rekeys) }
  }

  /// Makes a station erase a to-do.
  func erase(by station: Station, _ dice: Seeded) throws {
    var title: String?
    let ending = try Acting(world: world).act(on: station, "erases", dice) {
      book throws(DaybookError) in
      let view = try book.view()
      let todos = try wrapped { () throws(ReadModelError) in try view.todos.todos() }
      guard let todo = dice.pick(todos) else { return "nothing" }
      _ = try book.eraser.erase(todo.head.id)
      title = todo.title
      return "to-do"
    }
    guard ending == .done, title != nil else { return }
    world.count(.erasures)
    try Audit(world: world).noteErased(by: station, isAsked: true)
  }

  /// Forges events in the name of the given station, as a person could who has the station's files but not its keys.
  ///
  /// The forged events are written to a stick, and sent to every station in a bundle.
  func forge(by station: Station, _ dice: Seeded) throws {
    world.count(.forgeries)
    let copy = Station(
      99, seed: dice.number(), at: station.clock.now(), sticks: world.sticks, hasWitness: false)
    copy.replaceDisk(by: station.disk, keepingWitness: false)
    do {
      let folder = Layout(folder: Station.folder).keys
      let keys = try DeviceKeys(
        signingSeed: dice.bytes(32), agreementSeed: dice.bytes(32))
      for name in try copy.machine.disk.list(folder) {
        try copy.machine.disk.replace(folder / name, with: Array(keys.pem.utf8))
      }
      let logs = try copy.writers()
      let book = try copy.open()
      _ = try book.commands.perform(.addList(name: "forged", colour: nil))
      // If the copy has begun a new log, it is a new device, and nothing is forged.
      guard try copy.writers() == logs else {
        return world.note("no events of \(station.name) are forged: it has abandoned its log")
      }
      let bundle = try Self.bundleWithoutHead(of: book, on: copy, logs)
      _ = try book.replicator.sync(with: .directory(MountedDisk.stick(0)))
      world.note("forged events of \(station.name) are on a stick")
      for target in world.stations {
        let parcel = Parcel(bytes: bundle, number: world.step, target: target)
        world.eventQueue.add(.arrival(parcel), at: world.now + Int64(dice.below(60_000)))
      }
    } catch {
      // A forgery is allowed to fail.
      world.note("no events of \(station.name) are forged: \(error)")
    }
  }

  /// A bundle with the last frame of each of the given logs, as stored in the tail, without a head.
  private static func bundleWithoutHead(
    of book: Book, on station: Station, _ logs: Set<UniqueID>
  ) throws -> [UInt8] {
    let journal = try Journal(at: Station.folder, on: station.machine)
    let own = book.replica.hello
    let hello = Hello(
      book: own.book, replica: own.replica, frontier: .nothing, incarnation: own.incarnation)
    var bytes = Array("daybook bundle 1\n".utf8) + Message.hello(hello).encoded
    for log in logs.sorted() {
      guard let end = journal.logs[log] else { continue }
      var reader = try journal.reader(of: log, from: end.sequence)
      guard let last = try reader.read() else { continue }
      bytes += Message.frame(log: log, reader.bytes(of: last)).encoded
    }
    bytes += Message.end(.nothing).encoded
    return bytes + SHA256.digest(of: bytes).bytes
  }

  /// Appends an event that only a newer version understands.
  func writeNewer(on station: Station, _ dice: Seeded) throws {
    // The event is written directly to the journal, so the witness is not updated.
    let ending = try Acting(world: world).act(
      on: station, "writes as a newer version", dice, isWitnessed: false
    ) {
      book throws(DaybookError) in
      // Programs of every version first abandon a log that they must not continue.
      _ = try book.commands.perform(.addList(name: "from later", colour: nil))
      let own = book.replica.hello.replica
      guard let keys = try keys(of: own, on: station) else { return "nothing" }
      // The lock is free, because only one process of a world runs at a time.
      var journal = try wrapped { () throws(JournalError) in
        try Journal(at: Station.folder, on: station.machine)
      }
      let event = NewEvent(body: Self.newerBody(dice))
      let time = station.clock.now().milliseconds
      _ = try wrapped { () throws(JournalError) in
        try journal.append([Command(time: time, events: [event])], to: own, keys: keys)
      }
      station.process = nil
      return "one event"
    }
    if ending == .done { world.count(.newer) }
  }

  private func keys(of log: UniqueID, on station: Station) throws(DaybookError) -> DeviceKeys? {
    let path = Layout(folder: Station.folder).key(of: log)
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try station.machine.disk.contents(of: path, limit: 1 << 16)
    } catch {
      // If a device cannot read the first event of its log, it does not know that the log is its own.
      if error.reason == .notFound { return nil }
      throw .disk(error)
    }
    // If keys cannot be parsed, they cannot sign.
    return try? DeviceKeys(pem: String(decoding: bytes, as: UTF8.self))
  }

  /// An `add` of an unknown kind, an edit to an unknown field, an unknown verb, or an invalid body.
  private static func newerBody(_ dice: Seeded) -> [UInt8] {
    var writer = CBORWriter()
    switch dice.below(4) {
    case 0:
      writer.arrayHeader(4)
      for number: UInt64 in [0, 60, 5] { writer.unsigned(number) }
      writer.text("Rome")
    case 1:
      writer.arrayHeader(6)
      for number: UInt64 in [0, 2, 5] { writer.unsigned(number) }
      writer.text("from later")
      writer.unsigned(99)
      writer.text("09:30")
    case 2:
      writer.arrayHeader(2)
      for number: UInt64 in [77, 1] { writer.unsigned(number) }
    default:
      // A trust verb, a marker or a reserved number, with too few items or with invalid ones.
      let verb = UInt64(9 + dice.below(15))
      let count = dice.below(3)
      writer.arrayHeader(1 + count)
      writer.unsigned(verb)
      for _ in 0..<count { writer.integer(-1) }
    }
    return writer.bytes
  }
}

/// Rethrows an error of the read model as an error of the book.
private func wrapped<Value>(
  _ body: () throws(ReadModelError) -> Value
) throws(DaybookError) -> Value {
  do throws(ReadModelError) { return try body() } catch { throw .view(error) }
}

/// Rethrows an error of the journal as an error of the book.
private func wrapped<Value: ~Copyable>(
  _ body: () throws(JournalError) -> Value
) throws(DaybookError) -> Value {
  do throws(JournalError) { return try body() } catch { throw .journal(error) }
}
