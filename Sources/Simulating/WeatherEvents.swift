import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Verifying

/// The weather that affects stations, sticks and lines as separate events.
struct WeatherEvents {
  let world: World

  /// Makes weather of the given kind strike.
  func strike(
    _ kind: WeatherKind, _ station: Station, _ other: Station, _ dice: Seeded
  ) throws {
    switch kind {
    case .crashes, .kills: try stop(station, kind, dice)
    case .rot, .misdirection: try damage(station, kind, dice)
    case .fullness:
      world.count(kind)
      station.disk.becomeFull(afterBytes: dice.below(3_000))
      world.eventQueue.add(.room(station), at: world.now + Int64(dice.below(40_000)))
      world.note("\(station.name) is full")
    case .partitions:
      world.count(kind)
      world.separated = Set(world.stations.map(\.number).filter { _ in dice.chance(50) })
      world.eventQueue.add(.reunion, at: world.now + Int64(dice.below(60_000)))
      world.note("\(world.separated.sorted()) are apart")
    case .clocks: turnClock(of: station, dice)
    case .strays, .vanishing: meddle(kind, dice)
    case .backups: try MachineEvents(world: world).restore(station, dice)
    case .clones: try MachineEvents(world: world).clone(station, dice)
    case .newcomers: try MachineEvents(world: world).welcome(dice)
    case .revocations: try MachineEvents(world: world).revoke(by: station, other, dice)
    case .erasures: try MachineEvents(world: world).erase(by: station, dice)
    case .newer: try MachineEvents(world: world).writeNewer(on: station, dice)
    case .forgeries: try MachineEvents(world: world).forge(by: station, dice)
    case .rekeys: try MachineEvents(world: world).rekey(station, or: other, dice)
    case .purges: try purge(by: station, dice)
    case .loss, .duplication, .reordering, .delay, .cuts, .falsehood, .tears, .failures, .sealing:
      break
    }
  }

  /// Ends a station's processes, with a power cut if the kind is `.crashes`.
  private func stop(_ station: Station, _ kind: WeatherKind, _ dice: Seeded) throws {
    world.count(kind)
    Acting(world: world).die(station)
    if kind == .crashes {
      station.disk.fail(dice, tearing: world.scenario.weather.contains(.tears))
    } else {
      station.disk.kill()
    }
    world.note("\(station.name) \(kind)")
    try Audit(world: world).witness(station)
    try Audit(world: world).audit(station)
  }

  private func turnClock(of station: Station, _ dice: Seeded) {
    world.count(.clocks)
    let years = Int64(dice.below(dice.chance(50) ? 3 : 41)) - (dice.chance(50) ? 1 : 20)
    let wrong =
      World.start.milliseconds + world.now + years * 31_557_600_000 + Int64(dice.below(90_000))
    station.clock.set(Moment(milliseconds: max(0, wrong)))
    world.note("the clock of \(station.name) is \(years) years wrong")
  }

  // MARK: Many erasures

  /// Erases more records at once than other stations accept without asking, or decides about such erasures by others.
  ///
  /// If a station does not have enough lists, it adds some instead.
  private func purge(by station: Station, _ dice: Seeded) throws {
    let number = world.step
    var (revokes, erases, decides) = (false, false, false)
    let ending = try Acting(world: world).act(on: station, "purges", dice) {
      book throws(DaybookError) in
      if let held = try book.held.heldErasures().first, dice.chance(60) {
        revokes = dice.chance(15)
        decides = true
        return try Self.decide(about: held, in: book, revoking: revokes)
      }
      let count = ErasureReview.limit + 1 + dice.below(6)
      erases = try Self.eraseLists(count, of: book, oneByOne: dice.chance(6))
      return erases ? "\(count) lists" : try Self.addLists(count, to: book, number)
    }
    if revokes { MachineEvents(world: world).noteRevocation() }
    // Erasures that were begun on a full disk are completed by the next command that writes, sends or erases. A station
    // with a full disk is therefore not checked.
    let isUnseen = decides ? station.disk.isFull : ending != .done
    if erases || isUnseen { station.erasures.beginErasing() }
    guard ending == .done else { return }
    if erases { world.count(.purges) }
    guard erases || decides else { return }
    try Audit(world: world).noteErased(by: station, isAsked: true)
  }

  /// Accepts the erasures of a device, or revokes the device.
  private static func decide(
    about held: HeldErasures, in book: Book, revoking revokes: Bool
  ) throws(DaybookError) -> String {
    guard revokes else { return "accepted \(try book.held.acceptErasures().records) records" }
    let device = try book.deviceList.device(called: held.fingerprint.joined(separator: "-"))
    guard device.standing != .founder else { return "nothing, the founder" }
    _ = try book.revoker.revoke(device)
    return "revoked \(held.device)"
  }

  /// Erases `count` lists, or does nothing and returns false if there are fewer.
  private static func eraseLists(
    _ count: Int, of book: Book, oneByOne isOneByOne: Bool
  ) throws(DaybookError) -> Bool {
    let view = try book.view()
    let lists: [ListRow]
    do throws(ReadModelError) { lists = try view.lists.lists() } catch { throw .view(error) }
    guard lists.count >= count else { return false }
    let ids = lists.prefix(count).map(\.head.id)
    // To other devices, one command must look the same as several.
    if isOneByOne {
      for id in ids { _ = try book.eraser.erase(id) }
    } else {
      _ = try book.eraser.erase(ids)
    }
    return true
  }

  /// Adds `count` lists in one step.
  private static func addLists(
    _ count: Int, to book: Book, _ number: Int
  ) throws(DaybookError) -> String {
    let lines = (0..<count).map { place in
      #"{"op": "add", "kind": "list", "id": "\#(number).\#(place)", "name": "many \#(place)"}"#
    }
    let report = try book.importer.importOperations(Array(lines.joined(separator: "\n").utf8))
    return report.done.isEmpty ? "nothing" : "\(count) lists added"
  }

  // MARK: Bytes

  /// Damages a file of the book by flipping bits, or by overwriting a sector with zeros or with a sector of another
  /// file.
  private func damage(_ station: Station, _ kind: WeatherKind, _ dice: Seeded) throws {
    let files = station.disk.files.filter { Self.mayRot($0.key) && !$0.value.isEmpty }
      .sorted { $0.key < $1.key }
    guard let (path, bytes) = dice.pick(files) else { return }
    world.count(kind)
    let (before, durable) = (
      try kept(by: station), try Audit(world: world).look(station, station.durable).events
    )
    let hit: [Range<Int>]
    if kind == .rot, dice.chance(60) {
      hit = (0..<1 + dice.below(3)).map { _ in
        let place = dice.below(bytes.count)
        station.disk.rot(path, at: place, flipping: 1 << UInt8(dice.below(8)))
        return place..<place + 1
      }
    } else {
      let source = kind == .rot ? [] : dice.pick(files)?.value ?? []
      hit = [overwrite(path, bytes, with: source, on: station, dice)]
    }
    station.isProcessDeceived = true
    station.damages.append("\(kind) in \(path)")
    let held = try kept(by: station)
    let lost = before.filter { held[$0.key] == nil }
    station.promised.formIntersection(held.keys)
    world.note("\(station.name) \(kind) in \(path.parent.name.prefix(8))/\(path.name)")
    guard !lost.isEmpty else { return }
    try expectTold(lost.values.map(\.words).sorted(), by: station)
    // Bit rot does not affect any other frame. A misplaced sector may contradict other frames of its file, and may thus
    // hide later events in the folder, but does not affect any other log.
    let unhurt = lost.filter { event, spot in
      // An event in a new file may be durable only in the old file.
      ![spot, durable[event] ?? spot].contains { spot in
        if kind == .misdirection { return spot.file.parent == path.parent }
        return spot.file == path && hit.contains { $0.overlaps(spot.bytes) }
      }
    }
    guard !world.mayFork, let one = unhurt.values.map(\.words).min() else { return }
    throw Failure(
      .acknowledged, "\(station.name) lost \(one), which was not damaged", step: world.step)
  }

  /// The events that the given station holds both now and after a power cut.
  ///
  /// Until a name is flushed, a power cut may bring back an older file with this name. Damage to the new file does not
  /// affect the older one.
  func kept(by station: Station) throws -> [Digest: Inventory.Spot] {
    let durable = try Audit(world: world).look(station, station.durable).events
    return try Audit(world: world).look(station, station.visible).events.filter {
      durable[$0.key] != nil
    }
  }

  /// Checks that verification reports a problem if events have been lost.
  private func expectTold(_ lost: [String], by station: Station) throws {
    let report = try Audit(world: world).verification(of: station)
    world.note(
      "\(lost) are lost: \(report.faults.map { "\($0.kind) in \($0.file) at \($0.offset)" })")
    if report.isWhole {
      throw Failure(.verified, "\(station.name) lost \(lost) untold", step: world.step)
    }
  }

  /// Overwrites a sector of a file with a sector of another file, or with zeros.
  ///
  /// - Returns: The range that was overwritten.
  private func overwrite(
    _ path: Path, _ bytes: [UInt8], with source: [UInt8], on station: Station, _ dice: Seeded
  ) -> Range<Int> {
    let start = dice.below(1 + bytes.count / 512) * 512
    let sector = dice.below(1 + source.count / 512)
    // The source is sometimes shifted, so that both whole frames and parts of frames are copied.
    let shift = sector * 512 + (sector.isMultiple(of: 2) ? 0 : 100)
    let end = min(bytes.count, start + 512)
    for offset in start..<end {
      let place = offset - start + shift
      let new = source.indices.contains(place) ? source[place] : 0
      if new != bytes[offset] { station.disk.rot(path, at: offset, flipping: new ^ bytes[offset]) }
    }
    return start..<end
  }

  /// Whether a file may be damaged.
  ///
  /// Files may be damaged only if the book can repair them without help.
  private static func mayRot(_ path: Path) -> Bool {
    guard let names = path.names(below: Station.folder), let first = names.first else {
      return false
    }
    return first.hasPrefix("store-")
      || ["logs", "aside", "peers", "holes", "trust", "quarantine"].contains(first)
  }

  /// Does what other programs and people may do to a file on a stick: removes, copies, shortens, zeroes or changes it.
  private func meddle(_ kind: WeatherKind, _ dice: Seeded) {
    let stick = world.sticks[dice.below(world.sticks.count)]
    let files = stick.files.sorted { $0.key < $1.key }
    guard let (path, bytes) = dice.pick(files) else { return }
    world.count(kind)
    if kind == .vanishing {
      // If the file has already been removed, there is nothing left to remove.
      try? stick.remove(path)
      return world.note("\(path.name) was removed from a stick")
    }
    switch dice.below(4) {
    case 0: try? stick.replace(path.parent / "\(path.name) (conflicted copy)", with: bytes)
    case 1: try? stick.replace(path, with: Array(bytes.prefix(dice.below(bytes.count + 1))))
    case 2: try? stick.replace(path, with: [UInt8](repeating: 0, count: bytes.count))
    default:
      if !bytes.isEmpty { stick.rot(path, at: dice.below(bytes.count), flipping: 4) }
    }
    world.note("\(path.name) on a stick was changed")
  }
}
