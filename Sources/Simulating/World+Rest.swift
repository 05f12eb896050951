import Bytes
import Daybook
import Journaling
import SimulatedPlatform
import Verifying

// What must hold once the weather has ended.

extension World {
  /// How many times all meet all until they must agree.
  ///
  /// One who shares its log with a twin begins another only when it has heard of that, and this has to go round, too.
  private var rounds: Int { mayFork ? 4 : 3 }

  /// Ends all weather, lets everybody meet, and sees that all is well.
  func rest() throws {
    step = scenario.steps
    note("the weather ends")
    separated = []
    for stick in sticks { stick.clearWeather() }
    for station in stations {
      station.disk.clearWeather()
      try checkView(of: station)
      die(station)
    }
    meetings = []
    var all: [Digest: String] = [:]
    for station in stations {
      try witness(station)
      try audit(station)
      // What only a damaged disk holds may lack what would prove it to others.
      guard !station.isDamaged else { continue }
      // Where a flush failed, only what the disk has kept is believed.
      let held =
        station.isInDoubt ? try kept(by: station) : try look(station, station.visible).events
      for (hash, spot) in held { all[hash] = spot.words }
    }
    for round in 1...rounds {
      try exchange(round)
      for (one, other) in zip(stations, stations.dropFirst()) { try talk(one, other) }
      try acceptErasures()
    }
    try expectConvergence(of: all)
    try expectOrder()
    for station in stations { try examine(station) }
  }

  private func exchange(_ round: Int) throws {
    for station in stations {
      let receipt = try settle(station, "round \(round)") { book throws(DaybookError) in
        // A device that may not admit anybody is told so, and no more.
        try book.sync(with: .directory(MountedDisk.stick(0)), admission: .always)
      }
      let came = receipt.received.reduce(0) { $0 + $1.events }
      let went = receipt.sent.reduce(0) { $0 + $1.events }
      let problems = receipt.problems.isEmpty ? "" : ", \(receipt.problems)"
      note("\(station.name) in round \(round): \(came) came, \(went) went\(problems)")
      try witness(station, isAcknowledged: true)
    }
  }

  /// Lets two talk over a line to which nothing is done, from beginning to end.
  private func talk(_ one: Station, _ other: Station) throws {
    try meet(one, other, dice(of: step, UInt64(count)))
    while let (time, happening) = agenda.next() {
      pass(until: max(now, time))
      if case .turn(let meeting) = happening { try turn(meeting) }
    }
  }

  /// Lets every machine accept what others have erased.
  func acceptErasures() throws {
    for station in stations {
      try settle(station, "accepting") { book throws(DaybookError) in
        let records = try book.acceptErasures().records
        if records > 0 { note("\(station.name) accepts that \(records) records are erased") }
      }
      try noteErased(by: station, isAsked: true)
    }
  }

  /// Does something that nothing stands in the way of.
  @discardableResult
  func settle<Value>(
    _ station: Station, _ title: String, _ body: (Book) throws(DaybookError) -> Value
  ) throws -> Value {
    do throws(DaybookError) {
      let book: Book
      if let open = station.process { book = open } else { book = try station.begin() }
      return try body(book)
    } catch {
      throw Failure(.answers, "\(station.name) in \(title): \(error)", step: step)
    }
  }

  /// Sees that all hold what anybody held whose disk is sound, and that those agree who hold the same.
  private func expectConvergence(of all: [Digest: String]) throws {
    // Where a body is gone by an `erase` that is lost, less is held than where it is not.
    var groups: [[Digest: Bool]: Station] = [:]
    for station in stations {
      let held = try look(station, station.durable).events.mapValues(\.isStripped)
      let missing = all.filter { held[$0.key] == nil }.values.sorted()
      guard missing.isEmpty else {
        note("\(try verification(of: station))")
        throw Failure(
          .convergence, "\(station.name) lacks \(missing) of \(all.count) events", step: step)
      }
      if let other = groups[held] {
        try expectAgreement(station, other)
      } else {
        groups[held] = station
      }
    }
    guard groups.count == 1 || stations.contains(where: \.isDamaged) else {
      throw Failure(.convergence, "there are \(groups.count) kinds of machines", step: step)
    }
    note("all agree, \(all.count) events")
  }

  /// Sees that two agree which hold the same events.
  private func expectAgreement(_ station: Station, _ other: Station) throws {
    let ends = try [station, other].map { station in
      try settle(station, "logs") { book throws(DaybookError) in
        // What another process has written, this one knows once it looks.
        _ = try book.view()
        return LogEnds(of: book.journal)
      }
    }
    if let (log, here, there) = ends[0].difference(from: ends[1]) {
      throw Failure(
        .convergence, "\(station.name) has \(here) of \(log.hex.prefix(8)), \(other.name) \(there)",
        step: step)
    }
    let digests = try [station, other].map { station in
      try settle(station, "digest") { book throws(DaybookError) in try book.digest() }
    }
    guard digests[0] == digests[1] else {
      if try remembersMore(station) || remembersMore(other) {
        return note("\(station.name) or \(other.name) lives by what it remembers")
      }
      let rows = try [station, other].map { Set(try $0.open().view().rows()) }
      let different = rows[0].symmetricDifference(rows[1]).sorted()
      note("opened anew they differ in \(different.prefix(4))")
      throw Failure(
        .agreement, "\(station.name) and \(other.name) hold the same and do not agree", step: step)
    }
    // What a record is called depends on the name of the log that it was added in.
    guard !ends[0].isNamedDifferently(from: ends[1]) else {
      return note("\(station.name) and \(other.name) name what a replica wrote differently")
    }
    let books = try [station, other].map { station in
      try settle(station, "contents") { book throws(DaybookError) in book }
    }
    try expectSameContents(station, other, books)
  }

  /// Whether a machine remembers what an event said of trust that nobody holds any more.
  ///
  /// By that it goes on to live, as `protocol.md` has it, and its digest is compared with nobody's.
  func remembersMore(_ station: Station) throws -> Bool {
    guard station.isDamaged else { return false }
    let report = try settle(station, "verify") { book throws(DaybookError) in try book.verify() }
    return report.remembered > 0
  }

  /// Sees that no log was written twice, and that nobody has what others have erased.
  private func expectOrder() throws {
    var stripped: Set<Digest>?
    for station in stations {
      let forks = try settle(station, "forks") { book throws(DaybookError) in book.journal.forks }
      if !mayFork, let fork = forks.values.min(by: { $0.lastShared < $1.lastShared }) {
        let place = "\(fork.trunk.hex.prefix(8)) \(fork.lastShared)"
        throw Failure(.invented, "\(station.name) sees a fork behind \(place)", step: step)
      }
      guard !hasRevoked, !stations.contains(where: \.isDamaged) else { continue }
      let here = Set(try look(station, station.visible).events.filter(\.value.isStripped).keys)
      guard stripped ?? here == here else {
        throw Failure(.erased, "\(station.name) has not erased what others have", step: step)
      }
      stripped = here
    }
  }

  /// Sees that a machine tells of all events that it knew to be lost, until they are back.
  private func expectRemembered(_ report: VerificationReport, by station: Station) throws {
    let gaps = try settle(station, "gaps") { book throws(DaybookError) in try book.gaps() }
    for (log, end) in station.lacking.sorted(by: { $0.key < $1.key }) {
      let held = report.logs.filter { $0.replica == log }
      if held.contains(where: { $0.last >= end }) { continue }
      let isTold = held.contains { $0.missing.contains { $0.upperBound >= end } }
      let isShown = gaps.contains { $0.log == log }
      guard isTold, isShown, !report.isClean else {
        throw Failure(
          .remembered,
          "\(station.name) has forgotten that it lacks events up to \(end) of "
            + "\(log.hex.prefix(8))", step: step)
      }
      note("\(station.name) still tells of event \(end) of \(log.hex.prefix(8))")
    }
  }

  /// Whether an event was ever written to a log.
  ///
  /// A program may have shown it before the disk lost it with a flush that failed.
  private func wasWritten(_ sequence: UInt64, in file: String) -> Bool {
    let log = file.split(separator: "/").last?.prefix(8) ?? ""
    return issued.values.contains("\(log) \(sequence)")
  }

  /// Sees that a machine's files are sound, and that it shows what is in them.
  private func examine(_ station: Station) throws {
    try checkView(of: station)
    let report = try settle(station, "verify") { book throws(DaybookError) in try book.verify() }
    try expectRemembered(report, by: station)
    let faults = report.faults.filter { fault in
      switch fault.what {
      case .knownHole: false
      // What one has lost others may know of, too. A hello that was changed on its way may tell of an event that
      // nobody wrote; on a real line TLS refuses it.
      case .shortened(_, let known):
        self.faults[.falsehood] == nil && stations.allSatisfy(\.lacking.isEmpty)
          && !wasWritten(known, in: fault.file)
      case .replaced: stations.allSatisfy(\.lacking.isEmpty)
      // Who came late may have got all but the first log, which every disk has damaged.
      case .noFounder: !stations.contains(where: \.isDamaged)
      default: true
      }
    }
    guard faults.isEmpty || station.isDamaged else {
      throw Failure(.verified, "\(station.name) has \(faults[0])", step: step)
    }
  }
}
