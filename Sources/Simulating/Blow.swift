import Platform
import SimulatedPlatform

/// A fault that strikes a disk during an action.
enum Blow: Hashable {
  /// The power fails at a later call that may change the disk.
  case powerCut(at: Int)
  /// The process is killed at a later call that may change the disk.
  case kill(at: Int)
  /// The process is killed at a later flush of a folder, so that a power cut removes some names.
  case killNaming(at: Int)
  /// One call fails, and later calls succeed.
  case fault(at: Int, DiskFault)
  /// The disk has space for the given number of additional bytes.
  case full(afterBytes: Int)

  /// Draws a blow that the weather allows, or none.
  static func drawn(from dice: Seeded, in weather: Set<WeatherKind>, strength: Int) -> Blow? {
    let call = 1 + dice.below(dice.chance(60) ? 12 : 60)
    let draw = dice.below(100) / strength
    let isHalf = dice.chance(50)
    let room = dice.below(dice.chance(50) ? 400 : 6_000)
    switch draw {
    case ..<10 where weather.contains(.crashes): return .powerCut(at: call)
    case 10..<16 where weather.contains(.kills):
      // An early kill would hit only the preparations for the action, so flushes of folders are counted instead.
      return call <= 6 ? .killNaming(at: (call + 1) / 2) : .kill(at: call)
    case 16..<24 where weather.contains(.failures): return .fault(at: call, isHalf ? .io : .full)
    case 24..<29 where weather.contains(.fullness): return .full(afterBytes: room)
    default: return nil
    }
  }

  var kind: WeatherKind {
    switch self {
    case .powerCut: .crashes
    case .kill, .killNaming: .kills
    case .fault: .failures
    case .full: .fullness
    }
  }

  /// Whether the blow ends the process.
  var isDeadly: Bool {
    switch self {
    case .powerCut, .kill, .killNaming: true
    case .fault, .full: false
    }
  }

  /// Schedules the blow on a disk.
  func prepare(on disk: SimulatedDisk, halfway: Bool) {
    switch self {
    case .powerCut(let call), .kill(let call):
      disk.failCall(call, with: .closed, .fromThenOn, halfway: halfway)
    case .killNaming(let call):
      disk.failCall(call, of: .folderFlushes, with: .closed, .fromThenOn)
    case .fault(let call, let reason): disk.failCall(call, with: reason, halfway: halfway)
    case .full(let count): disk.becomeFull(afterBytes: count)
    }
  }
}

extension SimulatedDisk {
  /// Cuts the power.
  ///
  /// Unflushed changes survive by chance, either as a whole or in torn sectors.
  func fail(_ dice: Seeded, tearing isTearing: Bool) {
    switch dice.below(isTearing ? 6 : 4) {
    case 0: crash(keeping: .nothing)
    case 1: crash(keeping: .everything)
    case 2: crash(keeping: .first(dice.below(unflushed.count + 1)))
    case 3: crash(keeping: .random(seed: dice.number()))
    default: crash(keeping: .chosen(unflushed.map { Self.torn($0, dice) }))
    }
  }

  /// Draws the fate of a change.
  ///
  /// If the change is a write, some of its sectors or its first bytes survive.
  private static func torn(_ change: Unflushed, _ dice: Seeded) -> Fate {
    guard case .write(let offset, let count) = change else {
      return dice.chance(60) ? .kept : .lost
    }
    guard dice.chance(70) else { return .torn(afterBytes: dice.below(count + 1)) }
    var (kept, start): ([Range<Int>], Int) = ([], 0)
    while start < count {
      let end = min(count, start + 512 - (offset + start) % 512)
      if dice.chance(50) { kept.append(start..<end) }
      start = end
    }
    return .partly(kept)
  }
}
