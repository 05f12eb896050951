import Daybook
import Platform
import SimulatedPlatform
import Syncing

/// A sync of two stations over a line, in small turns.
final class Meeting {
  /// One side of a meeting.
  final class Side {
    let station: Station
    let end: Wire.End
    /// The book, opened in a separate process for the meeting.
    var book: Book?
    var sync: StepwiseSync?
    var isOver = false
    var fault: SyncError?

    init(_ station: Station, _ end: Wire.End) { (self.station, self.end) = (station, end) }
  }

  let number: Int
  let sides: [Side]
  let wire: Wire
  let dice: Seeded
  /// The faults of the line, by the number of the affected record.
  var mischief: [Int: WeatherKind]
  var carried = 0
  var turns = 0
  /// Whether the line or one of the stations was disturbed.
  var isDisturbed = false

  /// The number of turns after which a meeting fails.
  ///
  /// A meeting that makes progress ends after fewer turns.
  static let patience = 20_000

  init(
    _ number: Int, _ dialler: Station, _ listener: Station, _ dice: Seeded,
    in weather: Set<WeatherKind>
  ) {
    (self.number, self.dice) = (number, dice)
    sides = [Side(dialler, .dialler), Side(listener, .listener)]
    wire = Wire(room: [1 << 20, 1 << 20, 3_000, 300][dice.below(4)])
    mischief = [:]
    let kinds = weather.filter(\.isOfLines).sorted()
    guard !kinds.isEmpty, dice.chance(80) else { return }
    for _ in 0..<1 + dice.below(6) {
      let kind = kinds[dice.below(kinds.count)]
      mischief[dice.below(dice.chance(50) ? 6 : 40)] = kind
    }
  }

  var stations: [Station] { sides.map(\.station) }

  var isOver: Bool { sides.allSatisfy(\.isOver) }

  /// Ends the side of the given station, whose processes have ended.
  ///
  /// In some cases, the line is also cut. Otherwise, the other side does not notice anything.
  func abandon(_ station: Station) {
    isDisturbed = true
    for side in sides where side.station === station && !side.isOver {
      (side.isOver, side.sync, side.book) = (true, nil, nil)
    }
    if dice.chance(70) { wire.cut() }
  }

  /// Delivers the next record that an end has sent, with the fault that affects it.
  ///
  /// - Returns: The fault, if there is one, and the pause of the meeting in milliseconds.
  func carry(from end: Wire.End) -> (kind: WeatherKind?, milliseconds: Int64) {
    guard wire.carry(from: end, fate(of: mischief[carried])) else { return (nil, 0) }
    let kind = mischief[carried]
    carried += 1
    guard let kind else { return (nil, 0) }
    isDisturbed = true
    switch kind {
    case .cuts: wire.cut()
    case .delay: return (kind, [40, 900, 12_000, 70_000][dice.below(4)])
    default: break
    }
    return (kind, 0)
  }

  private func fate(of kind: WeatherKind?) -> Wire.Fate {
    switch kind {
    case .loss: .isLost
    case .duplication: .comesTwice
    case .reordering: .comesLate
    case .falsehood: .isChanged
    default: .arrives
    }
  }
}
