import Daybook
import Platform
import SimulatedPlatform
import Syncing

/// Two machines that talk over a line, bit by bit.
final class Meeting {
  /// One of the two.
  final class Side {
    let station: Station
    let end: Wire.End
    /// The process that talks.
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
  /// What happens to which of the records that go over the line.
  var mischief: [Int: WeatherKind]
  var carried = 0
  var turns = 0
  /// Whether something was done to the line or to one of the two.
  var isDisturbed = false

  /// More turns than any talk takes in which something happens.
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

  /// Ends the part of a machine whose processes are gone; the other side hears that, or never does.
  func abandon(_ station: Station) {
    isDisturbed = true
    for side in sides where side.station === station && !side.isOver {
      (side.isOver, side.sync, side.book) = (true, nil, nil)
    }
    if dice.chance(70) { wire.cut() }
  }

  /// Hands on what one has said, as it goes on this line.
  ///
  /// - Returns: What was done to it, and for how long nothing goes on.
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
