import TestDice

/// The faults of one direction of a line.
struct Mischief {
  /// The portions in which bytes are forwarded.
  enum Pieces: Hashable {
    case whole, single
    case random(upTo: Int)
  }

  enum Deed: Hashable {
    /// Bits of the next byte are flipped.
    case flip(UInt8)
    /// Bytes arrive that were never sent.
    case insert([UInt8])
    /// The last bytes arrive again.
    case again(Int)
    /// Some bytes are lost.
    case drop(Int)
    /// Nothing is forwarded for a while.
    case rest(milliseconds: Int64)
    case end(End)

    /// Whether the bytes differ from those that were sent.
    var isFalse: Bool {
      switch self {
      case .flip, .insert, .again, .drop: true
      case .rest, .end: false
      }
    }
  }

  /// The way in which a line ends early.
  enum End: CaseIterable {
    /// Both sides see that the other has closed.
    case closed
    /// Both sides see a broken line, and bytes in transit are lost.
    case reset
    /// The receiver sees an end, and can still send.
    case halfClosed
  }

  /// A fault, and the number of bytes after which it occurs.
  struct Step: Hashable {
    var offset: Int
    var deed: Deed
  }

  var pieces = Pieces.whole
  /// The percentage of steps in which nothing is forwarded although there are bytes.
  var stillness = 0
  /// The faults in the order of their offsets.
  var steps: [Step] = []

  var isFalse: Bool { steps.contains { $0.deed.isFalse } }
}

/// The faults of one line.
struct Chaos {
  /// The faults of the bytes from the dialler.
  var there = Mischief()
  /// The faults of the bytes to the dialler.
  var back = Mischief()

  static let none = Chaos()

  /// Whether bytes are changed in either direction.
  var isFalse: Bool { there.isFalse || back.isFalse }

  /// Ends the line after `count` bytes in one direction.
  static func cut(after count: Int, _ end: Mischief.End, isThere: Bool) -> Chaos {
    let step = Mischief.Step(offset: count, deed: .end(end))
    return isThere
      ? Chaos(there: Mischief(steps: [step])) : Chaos(back: Mischief(steps: [step]))
  }

  /// Random faults for a line that carries about `length` bytes each way.
  static func drawn(from dice: inout Dice, length: Int) -> Chaos {
    Chaos(there: .drawn(from: &dice, length), back: .drawn(from: &dice, length))
  }
}

extension Mischief {
  fileprivate static func drawn(from dice: inout Dice, _ length: Int) -> Mischief {
    var mischief = Mischief()
    switch dice.number(10) {
    case ..<4: mischief.pieces = .whole
    case 4: mischief.pieces = .single
    default: mischief.pieces = .random(upTo: 1 + dice.number(400))
    }
    if dice.chance(40) { mischief.stillness = dice.number(80) }
    let chances: [(Int, (inout Dice) -> Deed)] = [
      (30, { .end($0.pick(End.allCases) ?? .reset) }),
      (10, { .flip(1 << UInt8($0.number(8))) }),
      (8, { .insert(garbage(&$0)) }),
      (8, { .again(1 + $0.number($0.chance(50) ? 40 : 2_000)) }),
      (6, { .drop(1 + $0.number($0.chance(50) ? 4 : 400)) }),
      (20, { .rest(milliseconds: [20, 900, 12_000, 40_000, 700_000][$0.number(5)]) }),
    ]
    for (chance, draw) in chances where dice.chance(chance) {
      // Faults near the beginning are more frequent, because all later bytes depend on the first bytes.
      let offset = dice.number(dice.chance(20) ? 40 : length)
      mischief.steps.append(Step(offset: offset, deed: draw(&dice)))
    }
    mischief.steps.sort { $0.offset < $1.offset }
    return mischief
  }

  /// Random bytes, repeated bytes, or the beginning of a message or a TLS record.
  private static func garbage(_ dice: inout Dice) -> [UInt8] {
    let count = 1 + dice.number(dice.chance(50) ? 8 : 600)
    switch dice.number(4) {
    case 0: return [UInt8](repeating: UInt8(dice.number(256)), count: count)
    // A message of one element, a length beyond any limit, or a TLS record without content.
    case 1: return [0, 0, 0, 2, 0x81, UInt8(dice.number(8))]
    case 2: return [0x7f, 0xff, 0xff, 0xff]
    default: return (0..<count).map { _ in UInt8(dice.number(256)) }
    }
  }
}
