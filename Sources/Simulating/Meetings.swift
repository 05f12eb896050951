import Daybook
import SimulatedPlatform
import Syncing

/// Makes two stations sync over a line.
struct Meetings {
  let world: World

  /// Starts a call.
  ///
  /// The two stations sync in turns while the world continues.
  ///
  /// - Parameters:
  ///   - dialler: The station that calls.
  ///   - listener: The station that is called.
  ///   - dice: The dice of the meeting.
  ///   - isAlone: Whether the stations do nothing else in the meantime, so that the processes that they have open can
  ///     sync.
  /// - Throws: ``Failure`` if a call fails although it must not.
  func meet(
    _ dialler: Station, _ listener: Station, _ dice: Seeded, alone isAlone: Bool = false
  ) throws {
    let isTogether =
      dialler.isSeparated(in: world.separated) == listener.isSeparated(in: world.separated)
    guard dialler !== listener, isTogether else {
      return world.note("\(dialler.name) does not reach \(listener.name)")
    }
    world.count += 1
    let weather = world.step == world.scenario.steps ? [] : world.scenario.weather
    let meeting = Meeting(world.count, dialler, listener, dice, in: weather)
    do throws(DaybookError) {
      let books =
        isAlone
        ? [try dialler.present(), try listener.present()]
        : [try dialler.open(), try listener.open()]
      for (place, side) in meeting.sides.enumerated() {
        side.book = books[place]
        side.sync = try StepwiseSync(
          side.end == .dialler ? .dialler : .listener, of: books[place],
          over: meeting.wire.line(side.end), with: try books[1 - place].core.localDevice.shownKey)
      }
    } catch {
      let isExcused =
        error.isRefusal || meeting.stations.contains { $0.isDamaged || $0.disk.isFull }
      guard isExcused else { throw Failure(.answers, "a call: \(error)", step: world.step) }
      // A station may have begun a log when it opened the book.
      for station in meeting.stations { try Audit(world: world).witness(station) }
      return world.note("\(dialler.name) calls \(listener.name): \(error)")
    }
    for station in meeting.stations { try Audit(world: world).witness(station) }
    world.meetings.append(meeting)
    world.note("\(dialler.name) calls \(listener.name) in meeting \(meeting.number)")
    world.eventQueue.add(.turn(meeting), at: world.now)
  }

  /// Runs one turn of a meeting: up to six moves of its two sides and its line.
  func turn(_ meeting: Meeting) throws {
    meeting.turns += 1
    guard meeting.turns < Meeting.patience else {
      throw Failure(.ending, "meeting \(meeting.number) never ends", step: world.step)
    }
    let first = meeting.stations[0].isSeparated(in: world.separated)
    if first != meeting.stations[1].isSeparated(in: world.separated), !meeting.wire.isCut {
      meeting.isDisturbed = true
      meeting.wire.cut()
    }
    var pause: Int64 = 0
    var hasMoved = false
    for _ in 0..<6 where pause == 0 {
      let side = meeting.sides[meeting.dice.below(2)]
      if meeting.dice.chance(50) {
        try advance(side, in: meeting)
      } else {
        let carried = meeting.carried
        let (kind, milliseconds) = meeting.carry(from: side.end)
        if let kind { world.count(kind) }
        hasMoved = hasMoved || meeting.carried != carried
        pause = milliseconds
      }
    }
    guard !meeting.isOver else {
      world.meetings.removeAll { $0 === meeting }
      return
    }
    // If nothing has moved, the pause grows with the number of turns, so that a side waiting for an ended process times
    // out.
    let (short, long) = (1 + meeting.dice.below(8), meeting.dice.below(200) * meeting.turns / 40)
    let idle = hasMoved ? short : 20 + long
    world.eventQueue.add(.turn(meeting), at: world.now + pause + Int64(idle))
  }

  private func advance(_ side: Meeting.Side, in meeting: Meeting) throws {
    guard !side.isOver, let sync = side.sync else { return }
    do throws(SyncError) {
      side.isOver = try sync.advance() == .finished
    } catch {
      (side.fault, side.isOver) = (error, true)
    }
    if side.isOver { try conclude(side, sync, in: meeting) }
  }

  private func conclude(
    _ side: Meeting.Side, _ sync: StepwiseSync, in meeting: Meeting
  ) throws {
    let station = side.station
    (side.sync, side.book) = (nil, nil)
    let report = sync.report
    let (came, went) = (report.received.values.reduce(0, +), report.sent.values.reduce(0, +))
    var told = "\(came) came, \(went) went"
    if let fault = side.fault {
      told += ", \(fault)"
      let isExcused =
        meeting.isDisturbed || fault.isOfOtherSide || station.isDamaged || station.disk.isFull
        || meeting.stations.contains(where: \.isDamaged)
      guard isExcused else {
        throw Failure(
          .answers, "\(station.name) in meeting \(meeting.number): \(fault)", step: world.step)
      }
      // To the other side, the end of this process looks like a cut line.
      meeting.isDisturbed = true
    }
    // The received events are on the disk, but the sync is not concluded and may never be. The station is checked in
    // this state as well.
    if world.dice(of: meeting.number, UInt64(meeting.turns)).chance(30) {
      try Audit(world: world).audit(station)
    }
    var isDone = false
    do throws(DaybookError) {
      try sync.conclude(isWhole: side.fault == nil)
      isDone = true
    } catch {
      told += ", \(error)"
      guard error.isRefusal || station.isDamaged || station.disk.isFull else {
        throw Failure(
          .answers, "\(station.name) after meeting \(meeting.number): \(error)", step: world.step)
      }
    }
    world.note("\(station.name) ends meeting \(meeting.number): \(told)")
    try Audit(world: world).witness(station, isAcknowledged: isDone)
    try Audit(world: world).audit(station)
    if isDone { try Audit(world: world).noteErased(by: station) }
  }
}

extension SyncError {
  /// Whether the other side caused the error.
  fileprivate var isOfOtherSide: Bool {
    switch self {
    case .unwelcome, .refused: true
    default: false
    }
  }
}

extension Station {
  /// Whether the station is in the given group, which is one of the two groups that a partition separates.
  func isSeparated(in group: Set<Int>) -> Bool { group.contains(number) }
}
