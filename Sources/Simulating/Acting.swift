import Bytes
import Daybook
import Journaling
import Platform
import ReadModel
import Sealing
import SimulatedPlatform
import Syncing

/// Runs an action of a station on its book, in good or bad weather.
struct Acting {
  let world: World

  /// The first word of the result if an action has written nothing.
  ///
  /// An action with this result promises nothing.
  static let nothing = "nothing"

  /// How an action ended.
  enum Ending {
    case done
    /// The action was refused for a stated reason.
    case refused
    /// The process was killed.
    case dead
    /// An error ended the action, which may have been completed in part.
    case broken
  }

  /// Runs an action, during which a blow may strike, and checks that its ending is allowed.
  ///
  /// If an action succeeds, it promises all events on the disk. If a blow that did not kill the process struck a write,
  /// and the files are not settled afterwards, the action promises only the events of the station's own logs.
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
    // A write continues even if other logs have unflushed files. If the flush fails again, these files wait for the
    // next flush.
    let isOwnOnly = onlyWrites && blow?.isDeadly == false && !station.isSettled
    try Audit(world: world).witness(
      station, isAcknowledged: isDone, ofOwnOnly: isOwnOnly, isCalm: isCalm)
    if blow != nil || dice.chance(20) { try Audit(world: world).audit(station) }
    if world.dice(of: world.step, 3).chance(15) { try Audit(world: world).checkView(of: station) }
    return ending
  }

  /// The process that has the book open, or a new process.
  private func book(of station: Station, _ dice: Seeded) throws(DaybookError) -> Book {
    if dice.chance(15) { station.process = nil }
    return try station.present()
  }

  /// Completes a blow after the action, for example by cutting the power.
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

  /// Ends a station's processes and its side of each meeting.
  func die(_ station: Station) {
    station.process = nil
    for meeting in world.meetings where meeting.stations.contains(where: { $0 === station }) {
      meeting.abandon(station)
    }
  }

  /// Returns the ending of an action that threw an error.
  ///
  /// - Throws: ``Failure`` if the action must not end with this error.
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
  /// Whether the disk's space is limited.
  var isFull: Bool {
    // A simulated disk always knows how many bytes are free.
    guard let volume = try? volume(of: Path("/")) else { return false }
    return volume.freeBytes < .max
  }
}

extension DaybookError {
  /// Whether the error is a valid answer to a request rather than a failure.
  var isRefusal: Bool {
    switch self {
    case .refused, .nothingToUndo, .nothingInThisLog, .nothingToRedo, .nothingLeftSince,
      .onlyErasedSince,
      .editedSince, .dependedOn, .fewerCommands,
      .deviceNameTaken,
      .erasureInTheWay,
      .lastingInTheWay, .unknown,
      .erased, .gone, .hidden, .notGone, .ambiguous, .notAdmitted, .ownKey, .revokedKey,
      .alreadyRevoked, .nameOfRevokedDevice, .namedBeforeAdmission,
      .severalDevices, .unknownPeer, .severalLogs, .undoneAlready, .noSuchCommand,
      .sync(.unwelcome), .sync(.isSealed), .sync(.joinSealed), .emptiedPeer,
      .storeKey(.notTrusted):
      true
    default: false
    }
  }

  /// Whether the error states that files are damaged or have been changed.
  var isOfDamage: Bool {
    switch self {
    case .journal(.damaged), .journal(.changed), .sync(.journal(.damaged)): true
    default: false
    }
  }

  /// Whether the process has to end after this error.
  var isPoison: Bool {
    switch self {
    case .journal(.poisoned), .sync(.journal(.poisoned)), .disk, .journal(.disk): true
    default: false
    }
  }
}
