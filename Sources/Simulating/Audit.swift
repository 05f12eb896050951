import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Verifying

/// Compares the events and records of stations with the events that have been written.
struct Audit {
  let world: World

  /// Checks that two admitted stations with the same digest show the same records, unless one of them reports that it
  /// shows events that have no effect elsewhere.
  func expectSameContents(_ one: Station, _ other: Station, _ books: [Book]) throws {
    for book in books {
      let status = try book.statusReader.status()
      guard status.isAdmitted, status.shownAlone == 0 else { return }
    }
    let shown = try books.map { try Set($0.view().contents()) }
    guard let first = shown[0].symmetricDifference(shown[1]).min() else { return }
    // A station that relies on remembered trust events that it no longer holds may accept fewer events. The digest does
    // not reveal this.
    if try remembersMore(one)
      || remembersMore(other)
    {
      return
    }
    throw Failure(
      .agreement,
      "\(one.name) and \(other.name) have the same digest but show different records: \(first)",
      step: world.step)
  }

  /// Records a station's events: events of its own logs are issued, and acknowledged events are promised.
  ///
  /// If no fault has interfered, the witness must cover an event that the station has just written.
  func witness(
    _ station: Station, isAcknowledged: Bool = false, ofOwnOnly: Bool = false,
    isCalm: Bool = false
  ) throws {
    let held = try look(station, station.visible).events
    let mine = try look(station, station.writers)
    let written = held.filter { mine.contains($0.value.name.log) && world.issued[$0.key] == nil }
    world.issued.merge(written.mapValues(\.words)) { first, _ in first }
    if isCalm, station.hasWitness, !written.isEmpty, !station.witnesses(written.keys) {
      throw Failure(
        .acknowledged,
        "the witness of \(station.name) does not know an event that it has just written",
        step: world.step)
    }
    guard isAcknowledged else { return }
    let promised = ofOwnOnly ? held.filter { mine.contains($0.value.name.log) } : held
    station.promised.formUnion(promised.keys)
  }

  /// Checks that a station holds what it promised, and only events that some device has written.
  ///
  /// An undamaged station must also not hold any bodies of erased events, and must pass verification.
  func audit(_ station: Station) throws {
    let inventory = try look(station, station.durable)
    let held = inventory.events
    var lost = station.promised.subtracting(held.keys).sorted()
    // Events after damaged events may still be in the files, and belong to their log again once the damaged events are
    // restored.
    if !lost.isEmpty, station.isDamaged {
      let lying = station.lying()
      lost.removeAll(where: lying.contains)
    }
    guard lost.isEmpty else {
      throw Failure(
        .acknowledged, "\(station.name) has lost \(lost.compactMap { world.issued[$0] })",
        step: world.step)
    }
    let invented = held.filter { world.issued[$0.key] == nil }
    if let one = invented.values.map(\.words).min() {
      throw Failure(
        .invented,
        "\(station.name) has \(invented.count) events that no device wrote, such as \(one)",
        step: world.step)
    }
    guard !station.isDamaged else { return }
    if let one = inventory.exposed.compactMap({ held[$0]?.words }).min() {
      throw Failure(.erased, "\(station.name) has the body of \(one) again", step: world.step)
    }
    try expectSound(station)
  }

  /// Checks that verification finds no faults other than those that a crash can cause.
  private func expectSound(_ station: Station) throws {
    let isDamaged = world.stations.contains(where: \.isDamaged)
    let fault = try verification(of: station).faults.first { fault in
      switch fault.kind {
      // Events that other stations have lost may also be missing here.
      case .knownHole: !isDamaged
      // If an event arrived without its body, the seed of its block is not removed until the sync is concluded.
      case .tornTail, .seedDiffers: false
      default: true
      }
    }
    if let fault { throw Failure(.verified, "\(station.name) has \(fault)", step: world.step) }
  }

  /// Records which records a station has erased from its files, and checks that other stations have not erased too
  /// many.
  ///
  /// Once a device has been revoked, no check is made, because the device's erasures may be undone. Erasures that the
  /// station holds back are not recorded.
  func noteErased(by station: Station, isAsked: Bool = false) throws {
    guard !world.hasRevoked, !station.isDamaged, !station.disk.isFull,
      station.number < world.scenario.devices
    else { return }
    let inventory = try look(station, station.visible)
    try expectFew(station, inventory, isAsked: isAsked)
    let news = inventory.erased.subtracting(station.erasures.erased)
    guard !news.isEmpty else { return }
    let held = try settle(station, "held") { book throws(DaybookError) in
      Set(try book.held.heldRecords().compactMap(\.id))
    }
    station.erasures.erased.formUnion(
      news.filter { !held.contains(UniqueID(ofEntityAddedBy: $0.hash)) })
  }

  /// Checks that other stations have not erased more records on a station than is allowed without asking its user.
  private func expectFew(_ station: Station, _ inventory: Inventory, isAsked: Bool) throws {
    guard station.erasures.compare(with: inventory, isAsked: isAsked) else { return }
    // Erasures by a copy of the station, or by the station before its backup was restored, are treated as its own.
    // Clocks matter because the limit applies to a period.
    guard world.scenario.weather.isDisjoint(with: [.backups, .clones, .clocks]) else { return }
    guard station.erasures.taken.count <= ErasureReview.limit else {
      throw Failure(
        .erased,
        "\(station.name) lost \(station.erasures.taken.count) records to other stations without being asked",
        step: world.step)
    }
  }

  /// Runs an action that must not fail.
  @discardableResult
  func settle<Value>(
    _ station: Station, _ title: String, _ body: (Book) throws(DaybookError) -> Value
  ) throws -> Value {
    do throws(DaybookError) {
      return try body(try station.present())
    } catch {
      throw Failure(.answers, "\(station.name) in \(title): \(error)", step: world.step)
    }
  }

  /// Whether the given station relies on trust events that no log contains any longer.
  ///
  /// The station continues to apply these events, as required by `protocol.md`, so its digest cannot be compared with
  /// others.
  func remembersMore(_ station: Station) throws -> Bool {
    guard station.isDamaged else { return false }
    let report = try settle(station, "verify") { book throws(DaybookError) in
      try book.verifier.verify()
    }
    return report.remembered > 0
  }

  func verification(of station: Station) throws -> VerificationReport {
    do throws(DiskError) {
      let copy = station.disk.copy()
      copy.clearWeather()
      return try Verification.run(on: Station.folder, disk: copy)
    } catch {
      throw Failure(.answers, "\(station.name) cannot be verified: \(error)", step: world.step)
    }
  }

  /// Reads from the logs of the given station.
  ///
  /// - Throws: ``Failure`` if they cannot be read.
  func look<Found>(
    _ station: Station, _ read: () throws(JournalError) -> Found
  ) throws -> Found {
    do throws(JournalError) {
      return try read()
    } catch {
      throw Failure(
        .answers, "the logs of \(station.name) cannot be read: \(error)", step: world.step)
    }
  }

  /// Checks that two stations agree if they hold the same events.
  func compare(_ one: Station, _ other: Station) throws {
    guard let left = try? one.open(), let right = try? other.open() else { return }
    guard left.core.store.journal.logs == right.core.store.journal.logs,
      try left.statusReader.status().missing.isEmpty,
      try right.statusReader.status().missing.isEmpty
    else { return }
    // If one of the stations holds back erasures, the other may have applied them.
    for book in [left, right] where try !book.held.heldErasures().isEmpty { return }
    guard try left.statusReader.digest() == right.statusReader.digest() else {
      throw Failure(
        .agreement, "\(one.name) and \(other.name) have the same events but differ",
        step: world.step)
    }
    try expectSameContents(one, other, [left, right])
  }

  /// Checks that the open process shows the same rows as a newly opened book, and that these rows obey the merge rules.
  func checkView(of station: Station) throws {
    guard !station.isProcessDeceived, let shown = try station.process?.view().rows() else { return }
    let anew = try station.open().view()
    let dump = try ModelRows(of: anew)
    let different = Set(shown).symmetricDifference(dump.rows)
      .filter { !ReadModel.isOfEmptyLog($0) }.sorted()
    if let first = different.first {
      throw Failure(
        .view, "\(station.name) shows \(different.count) rows otherwise: \(first)",
        step: world.step)
    }
    if let fault = try TodoCheck(anew, holding: dump.entities).fault() {
      throw Failure(.merged, "on \(station.name), \(fault)", step: world.step)
    }
  }
}

extension ReadModel {
  /// The tables about logs and events, which users do not see.
  private static let bookkeeping = ["log: ", "seen: ", "entity: "]

  /// Whether the given row is about a log without events.
  ///
  /// A log without events may be known only by its folder.
  static func isOfEmptyLog(_ row: String) -> Bool {
    let columns = row.split(separator: ", ")
    return row.hasPrefix("log: ") && columns.count > 4 && columns[4] == "0"
  }

  /// The rows that determine what users see of all records, and the tree of to-dos; the tables about logs and events
  /// are excluded.
  func contents() throws -> [String] {
    try rows().filter { row in !Self.bookkeeping.contains { row.hasPrefix($0) } } + tree()
  }

  /// The rows that state the parent of each sub-task.
  private func tree() throws -> [String] {
    let rows = try todos.todos()
    let ids = Dictionary(uniqueKeysWithValues: rows.map { ($0.head.key, $0.head.id) })
    return try subtasks.parents(of: rows.map(\.head.key)).map { child, parent in
      "tree: \(ids[child]?.hex ?? "?") under \(ids[parent]?.hex ?? "?")"
    }
  }
}
