import Bytes
import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing

/// Lets a machine do something with its book, in good or bad weather.
struct Acting {
  let world: World

  /// What begins the words of whoever has written nothing, and so promises nothing.
  static let nothing = "nothing"

  /// How something ended that a machine was asked for.
  enum Ending {
    case done
    /// It was not to be done, and that was said.
    case refused
    /// The process is no more.
    case dead
    /// It was done in part, or not at all, since something went wrong.
    case broken
  }

  /// Lets a machine do something, with a blow in its midst, and sees that it ends as it may.
  ///
  /// Who only writes promises what it writes; who sends or takes in, all that is there then.
  @discardableResult
  func act(
    on station: Station, _ title: String, _ dice: Seeded, blow: Blow? = nil,
    isWitnessed: Bool = true, onlyWrites: Bool = false,
    _ body: (Book) throws(DaybookError) -> String
  ) throws -> Ending {
    let disk = station.disk
    blow?.prepare(on: disk, halfway: dice.chance(50))
    var (ending, told) = (Ending.done, "")
    do throws(DaybookError) {
      let book = try book(of: station, dice)
      told = try body(book)
      if book.isDiskFailing { station.process = nil }
    } catch {
      told = "\(error)"
      if station.process?.isDiskFailing ?? false { station.process = nil }
      ending = try judge(error, station, title, blow)
    }
    if let blow {
      world.count(blow.kind)
      ending = suffer(blow, station, ending, dice)
    }
    if let fault = Deed.fault(in: told) {
      throw Failure(fault, "\(station.name) \(told)", step: world.step)
    }
    world.note("\(station.name) \(title)\(blow.map { " (\($0))" } ?? ""): \(told) \(ending)")
    let isDone = ending == .done && !told.hasPrefix(Self.nothing)
    let isCalm = isDone && isWitnessed && blow == nil && !station.disk.isFull
    // What was left unflushed of other logs keeps nobody from writing; where it fails again, it waits for the next one.
    let isOwnOnly = onlyWrites && blow?.isDeadly == false && !station.isSettled
    try Audit(world: world).witness(
      station, isAcknowledged: isDone, ofOwnOnly: isOwnOnly, isCalm: isCalm)
    if blow != nil || dice.chance(20) { try Audit(world: world).audit(station) }
    if world.dice(of: world.step, 3).chance(15) { try Audit(world: world).checkView(of: station) }
    return ending
  }

  /// The process that has the book open, or a new one.
  private func book(of station: Station, _ dice: Seeded) throws(DaybookError) -> Book {
    if dice.chance(15) { station.process = nil }
    if let book = station.process { return book }
    return try station.begin()
  }

  /// Lets a blow do what is left of it.
  private func suffer(
    _ blow: Blow, _ station: Station, _ ending: Ending, _ dice: Seeded
  ) -> Ending {
    switch blow {
    case .powerCut:
      station.disk.clearWeather()
      die(station)
      station.disk.fail(dice, tearing: world.scenario.weather.contains(.tears))
      if world.scenario.weather.contains(.tears) { world.count(.tears) }
    case .kill, .killNaming:
      station.disk.clearWeather()
      die(station)
      station.disk.kill()
    case .fault: station.disk.clearWeather()
    case .full:
      world.eventQueue.add(.room(station), at: world.now + Int64(dice.below(60_000)))
      return ending
    }
    if blow.isDeadly {
      if case .done = ending { return .done }
      return .dead
    }
    return ending
  }

  /// Ends the processes of a machine, and with them its talks.
  func die(_ station: Station) {
    station.process = nil
    for meeting in world.meetings where meeting.stations.contains(where: { $0 === station }) {
      meeting.abandon(station)
    }
  }

  /// Tells whether something may end in an error.
  private func judge(
    _ error: DaybookError, _ station: Station, _ title: String, _ blow: Blow?
  ) throws -> Ending {
    if error.isPoison { station.process = nil }
    if blow != nil || station.disk.isFull { return .broken }
    if error.isRefusal { return .refused }
    if station.isDamaged, error.isOfDamage { return .broken }
    throw Failure(.answers, "\(station.name) \(title): \(error)", step: world.step)
  }
}

extension SimulatedDisk {
  /// Whether there is a limit to what it holds.
  var isFull: Bool {
    // A disk of that kind always knows.
    guard let volume = try? volume(of: Path("/")) else { return false }
    return volume.freeBytes < .max
  }
}

extension DaybookError {
  /// Whether it is an answer, and not a failure.
  var isRefusal: Bool {
    switch self {
    case .refused, .nothingToUndo, .nothingInThisLog, .nothingToRedo, .nothingLeftSince,
      .editedSince, .dependedOn, .fewerCommands,
      .deviceNameTaken,
      .erasureInTheWay,
      .lastingInTheWay, .unknown,
      .erased, .gone, .hidden, .notGone, .ambiguous, .notAdmitted, .ownKey, .revokedKey,
      .namedBeforeAdmission,
      .severalDevices, .unknownPeer, .severalLogs, .undoneAlready, .noSuchCommand,
      .sync(.unwelcome):
      true
    default: false
    }
  }

  /// Whether it says that the files are not as they were written.
  var isOfDamage: Bool {
    switch self {
    case .journal(.damaged), .journal(.changed), .sync(.journal(.damaged)): true
    default: false
    }
  }

  /// Whether the process that hears it has to be ended.
  var isPoison: Bool {
    switch self {
    case .journal(.poisoned), .sync(.journal(.poisoned)), .disk, .journal(.disk): true
    default: false
    }
  }
}
