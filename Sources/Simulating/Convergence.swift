import Bytes
import Daybook
import Journaling
import Platform
import SimulatedPlatform
import Verifying

/// Makes all stations sync in good weather, and checks that they agree.
struct Convergence {
  let world: World

  /// The number of rounds after which the stations must agree.
  ///
  /// A station that shares its log with a copy does not begin another log until it detects the fork, and the new log
  /// then also has to reach the other stations.
  private var rounds: Int { world.mayFork ? 4 : 3 }

  /// Ends the weather, makes all stations sync, and checks the invariants.
  func check() throws {
    world.step = world.scenario.steps
    world.note("the weather ends")
    world.separated = []
    for stick in world.sticks { stick.clearWeather() }
    for station in world.stations {
      station.disk.clearWeather()
      forgetSticks(station)
      try Audit(world: world).checkView(of: station)
      Acting(world: world).die(station)
    }
    world.meetings = []
    var all: [Digest: String] = [:]
    for station in world.stations {
      try Audit(world: world).witness(station)
      try Audit(world: world).audit(station)
      // If events are only on a damaged disk, they may lack the head that proves them to other stations.
      guard !station.isDamaged else { continue }
      // After a failed flush, only durable events are counted.
      let held =
        station.isInDoubt
        ? try WeatherEvents(world: world).kept(by: station)
        : try Audit(world: world).look(station, station.visible).events
      for (hash, spot) in held { all[hash] = spot.words }
    }
    try syncAll(holding: all)
    try SealedCheck(world: world).check()
    for station in world.stations { try examine(station) }
    // This check writes events, so it comes last.
    try SealedCheck(world: world).checkRevocations()
  }

  /// Makes a station read all files on the sticks again.
  ///
  /// Otherwise, the station might not notice until a month later that a file is damaged if neither the size nor the
  /// time of the file reveals this.
  private func forgetSticks(_ station: Station) {
    for name in (try? station.disk.list(Station.folder)) ?? [] where name.hasPrefix("store-") {
      try? station.disk.remove(Station.folder / name)
    }
  }

  /// Makes all stations sync over a stick and over lines until they agree, or for all rounds.
  ///
  /// In the first round, the last station receives everything from the stick. In half of the worlds, it passes
  /// everything on over lines, from one station to the next; in the other worlds, the other stations visit the stick
  /// again. In most worlds, the stations then agree, so more rounds would transfer nothing. A few worlds run all rounds
  /// anyway.
  private func syncAll(holding all: [Digest: String]) throws {
    let isPatient = world.dice(of: world.step, 4).chance(5)
    let isOverStick = world.dice(of: world.step, 5).chance(50)
    for round in 1...rounds {
      try exchange(round, among: world.stations[...])
      if round > 1, !isPatient, try isDone(all) { return }
      if round == 1, isOverStick {
        try exchange(round, among: world.stations.dropLast())
      } else {
        try passOn()
      }
      try acceptErasures()
      if !isPatient, try isDone(all) { return }
    }
    try expectConvergence(of: all)
    try expectOrder()
  }

  /// Whether all stations are admitted, hold all events, and pass the checks that follow the last round.
  ///
  /// If a check fails before the last round, the stations merely need another round.
  private func isDone(_ all: [Digest: String]) throws -> Bool {
    var held: Set<[Digest: Bool]> = []
    for station in world.stations {
      held.insert(try comparableEvents(of: station))
      guard held.count == 1 else { return false }
    }
    let areAdmitted = try world.stations.allSatisfy { station in
      try Audit(world: world).settle(station, "status") { book throws(DaybookError) in
        try book.statusReader.status().isAdmitted
      }
    }
    guard areAdmitted else { return false }
    do {
      try expectConvergence(of: all)
      try expectOrder()
      return true
    } catch is Failure {
      return false
    }
  }

  /// Makes stations sync with the stick, one after another.
  private func exchange(_ round: Int, among stations: ArraySlice<Station>) throws {
    for station in stations {
      let receipt = try Audit(world: world).settle(station, "round \(round)") {
        book throws(DaybookError) in
        // A device that may not admit others is refused, which has no further effect.
        try book.replicator.sync(with: .directory(MountedDisk.stick(0)), admission: .always)
      }
      let came = receipt.received.reduce(0) { $0 + $1.events }
      let went = receipt.sent.reduce(0) { $0 + $1.events }
      let problems = receipt.problems.isEmpty ? "" : ", \(receipt.problems)"
      world.note("\(station.name) in round \(round): \(came) came, \(went) went\(problems)")
      try Audit(world: world).witness(station, isAcknowledged: true)
    }
  }

  /// Makes each station sync with the previous one over a line, beginning with the last station.
  private func passOn() throws {
    for (one, other) in zip(world.stations, world.stations.dropFirst()).reversed() {
      try syncOutcome(one, other)
    }
  }

  /// Makes two stations sync over an undisturbed line until the meeting ends.
  private func syncOutcome(_ one: Station, _ other: Station) throws {
    try Meetings(world: world).meet(
      one, other, world.dice(of: world.step, UInt64(world.count)), alone: true)
    while let (time, happening) = world.eventQueue.next() {
      world.pass(until: max(world.now, time))
      if case .turn(let meeting) = happening { try Meetings(world: world).turn(meeting) }
    }
  }

  /// Makes every station accept the other stations' erasures.
  func acceptErasures() throws {
    for station in world.stations {
      try Audit(world: world).settle(station, "accepting") { book throws(DaybookError) in
        let records = try book.held.acceptErasures().records
        if records > 0 { world.note("\(station.name) accepts that \(records) records are erased") }
      }
      try Audit(world: world).noteErased(by: station, isAsked: true)
    }
  }

  /// Maps the chain hash of each event that a station holds to whether all stations must have stripped its body.
  ///
  /// Once a device has been revoked, its erasures no longer take effect, but it may have stripped its own events. If
  /// these events have no effect either, other stations keep their bodies.
  private func comparableEvents(of station: Station) throws -> [Digest: Bool] {
    let held = try Audit(world: world).look(station, station.durable).events
    guard world.hasRevoked else { return held.mapValues(\.isStripped) }
    let trust = try Audit(world: world).settle(station, "trust") { book throws(DaybookError) in
      try book.core.projector.trust()
    }
    return held.mapValues { $0.isStripped && trust.folds($0.name.log, $0.name.sequence) }
  }

  /// Checks that all stations hold all events from undamaged disks, and that stations with the same events agree.
  private func expectConvergence(of all: [Digest: String]) throws {
    // If an `erase` event is lost but its effect remains, a station holds fewer bodies than a station without that
    // effect.
    var groups: [[Digest: Bool]: Station] = [:]
    let withheld = try eventsSetAside()
    for station in world.stations {
      let held = try comparableEvents(of: station)
      let missing = all.filter { held[$0.key] == nil && !withheld.contains($0.key) }.values
        .sorted()
      guard missing.isEmpty else {
        world.note("\(try Audit(world: world).verification(of: station))")
        throw Failure(
          .convergence, "\(station.name) lacks \(missing) of \(all.count) events", step: world.step)
      }
      if let other = groups[held] {
        try expectAgreement(station, other)
      } else {
        groups[held] = station
      }
    }
    guard groups.count == 1 || world.stations.contains(where: \.isDamaged) else {
      throw Failure(
        .convergence, "there are \(groups.count) groups of stations that differ", step: world.step)
    }
    world.note("all agree, \(all.count) events")
  }

  /// The events that all stations that hold them have set aside.
  ///
  /// Events that are set aside are not sent. If damage has destroyed all copies of the event that admits a key, the logs
  /// of that key stay aside.
  private func eventsSetAside() throws -> Set<Digest> {
    guard world.stations.contains(where: \.isDamaged) else { return [] }
    var (aside, others): (Set<Digest>, Set<Digest>) = ([], [])
    for station in world.stations {
      for (hash, spot) in try Audit(world: world).look(station, station.durable).events {
        if spot.isAside { aside.insert(hash) } else { others.insert(hash) }
      }
    }
    return aside.subtracting(others)
  }

  /// Checks that two stations with the same events agree.
  private func expectAgreement(_ station: Station, _ other: Station) throws {
    let ends = try [station, other].map { station in
      try Audit(world: world).settle(station, "logs") { book throws(DaybookError) in
        // The book is read first, so that this process sees the events that another process has written.
        _ = try book.view()
        return LogEnds(of: book.core.store.journal)
      }
    }
    if let (log, here, there) = ends[0].difference(from: ends[1]) {
      throw Failure(
        .convergence, "\(station.name) has \(here) of \(log.hex.prefix(8)), \(other.name) \(there)",
        step: world.step)
    }
    let digests = try [station, other].map { station in
      try Audit(world: world).settle(station, "digest") { book throws(DaybookError) in
        try book.statusReader.digest()
      }
    }
    guard digests[0] == digests[1] else {
      if try Audit(world: world).remembersMore(station) || Audit(world: world).remembersMore(other)
      {
        return world.note("\(station.name) or \(other.name) relies on remembered trust events")
      }
      let rows = try [station, other].map { Set(try $0.open().view().rows()) }
      let different = rows[0].symmetricDifference(rows[1]).sorted()
      world.note("after reopening, they differ in \(different.prefix(4))")
      throw Failure(
        .agreement, "\(station.name) and \(other.name) have the same events but do not agree",
        step: world.step)
    }
    // The rows identify records by the names of the logs to which they were added.
    guard !ends[0].isNamedDifferently(from: ends[1]) else {
      return world.note(
        "\(station.name) and \(other.name) use different names for the logs of a replica")
    }
    let books = try [station, other].map { station in
      try Audit(world: world).settle(station, "contents") { book throws(DaybookError) in book }
    }
    try Audit(world: world).expectSameContents(station, other, books)
  }

  /// Checks that no log has been written twice, and that all stations have stripped the same events.
  private func expectOrder() throws {
    var stripped: Set<Digest>?
    for station in world.stations {
      let forks = try Audit(world: world).settle(station, "forks") { book throws(DaybookError) in
        book.core.store.journal.forks
      }
      if !world.mayFork, let fork = forks.values.min(by: { $0.lastShared < $1.lastShared }) {
        let place = "\(fork.trunk.hex.prefix(8)) \(fork.lastShared)"
        throw Failure(.invented, "\(station.name) sees a fork after \(place)", step: world.step)
      }
      guard !world.hasRevoked, !world.stations.contains(where: \.isDamaged) else { continue }
      let here = Set(
        try Audit(world: world).look(station, station.visible).events.filter(\.value.isStripped)
          .keys)
      guard stripped ?? here == here else {
        throw Failure(
          .erased, "\(station.name) has not erased everything that others have erased",
          step: world.step)
      }
      stripped = here
    }
  }

  /// Checks that a station reports the events that it knew to be lost, unless the events have been restored.
  private func expectRemembered(_ report: VerificationReport, by station: Station) throws {
    let gaps = try Audit(world: world).settle(station, "gaps") { book throws(DaybookError) in
      try book.losses.gaps()
    }
    for (log, end) in station.lacking.sorted(by: { $0.key < $1.key }) {
      let held = report.logs.filter { $0.replica == log }
      if held.contains(where: { $0.last >= end }) { continue }
      let isTold = held.contains { $0.missing.contains { $0.upperBound >= end } }
      let isShown = gaps.contains { $0.log == log }
      guard isTold, isShown, !report.isClean else {
        throw Failure(
          .remembered,
          "\(station.name) no longer reports that it lacks events up to \(end) of "
            + "\(log.hex.prefix(8))", step: world.step)
      }
      world.note("\(station.name) still reports event \(end) of \(log.hex.prefix(8))")
    }
  }

  /// Whether an event was ever written to a log.
  ///
  /// A program may have shown an event before a failed flush lost it.
  private func wasWritten(_ sequence: UInt64, in file: String) -> Bool {
    let log = file.split(separator: "/").last?.prefix(8) ?? ""
    return world.issued.values.contains("\(log) \(sequence)")
  }

  /// Checks that a station's files are valid, and that the station shows their content.
  private func examine(_ station: Station) throws {
    try Audit(world: world).checkView(of: station)
    let report = try Audit(world: world).settle(station, "verify") { book throws(DaybookError) in
      try book.verifier.verify()
    }
    try expectRemembered(report, by: station)
    let faults = report.faults.filter { fault in
      switch fault.kind {
      case .knownHole: false
      // Other stations may have received events that a station has lost. A hello that was changed in transit may name
      // an event that was never written. On a real line, TLS would reject such a hello.
      case .shortened(_, let known):
        world.faults[.falsehood] == nil && world.stations.allSatisfy(\.lacking.isEmpty)
          && !wasWritten(known, in: fault.file)
      case .replaced, .unplaced: world.stations.allSatisfy(\.lacking.isEmpty)
      // If the first log is damaged on every disk, a station that joined late may have received all other logs but not
      // this one.
      case .noFounder: !world.stations.contains(where: \.isDamaged)
      default: true
      }
    }
    guard faults.isEmpty || station.isDamaged else {
      throw Failure(.verified, "\(station.name) has \(faults[0])", step: world.step)
    }
  }
}
