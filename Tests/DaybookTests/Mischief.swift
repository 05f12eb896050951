import TestDice

/// What goes wrong with the bytes that go one way over a line.
struct Mischief {
  /// In what portions bytes go on.
  enum Pieces: Hashable {
    case whole, single
    case random(upTo: Int)
  }

  enum Deed: Hashable {
    /// The next byte is another.
    case flip(UInt8)
    /// Bytes come that nobody has sent.
    case insert([UInt8])
    /// The last bytes come once more.
    case again(Int)
    /// So many bytes are lost.
    case drop(Int)
    /// Nothing goes on for a while.
    case rest(milliseconds: Int64)
    case end(End)

    /// Whether the bytes are no longer those that were sent.
    var isFalse: Bool {
      switch self {
      case .flip, .insert, .again, .drop: true
      case .rest, .end: false
      }
    }
  }

  /// How a line ends before its time.
  enum End: CaseIterable {
    /// Both sides hear that the other has gone.
    case closed
    /// Both sides hear that it is broken, and what was on its way is lost.
    case reset
    /// Who is sent to hears an end, and goes on sending.
    case halfClosed
  }

  /// A deed, and after how many bytes it is done.
  struct Step: Hashable {
    var offset: Int
    var deed: Deed
  }

  var pieces = Pieces.whole
  /// How often of a hundred times nothing goes on although there is something.
  var stillness = 0
  /// In the order of their offsets.
  var steps: [Step] = []

  var isFalse: Bool { steps.contains { $0.deed.isFalse } }
}

/// What goes wrong with one line.
struct Chaos {
  /// On the way from the dialler.
  var there = Mischief()
  /// On the way to the dialler.
  var back = Mischief()

  static let none = Chaos()

  /// Whether bytes come that were not sent so, on either way.
  var isFalse: Bool { there.isFalse || back.isFalse }

  /// Ends the line after so many bytes have gone one way.
  static func cut(after count: Int, _ end: Mischief.End, isThere: Bool) -> Chaos {
    let step = Mischief.Step(offset: count, deed: .end(end))
    return isThere
      ? Chaos(there: Mischief(steps: [step])) : Chaos(back: Mischief(steps: [step]))
  }

  /// Draws what goes wrong with a line over which about so much goes each way.
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
      // What comes first matters most, since all the rest depends on it.
      let offset = dice.number(dice.chance(20) ? 40 : length)
      mischief.steps.append(Step(offset: offset, deed: draw(&dice)))
    }
    mischief.steps.sort { $0.offset < $1.offset }
    return mischief
  }

  /// Bytes of all kinds: of any value, of one, or such as begin a message or a record.
  private static func garbage(_ dice: inout Dice) -> [UInt8] {
    let count = 1 + dice.number(dice.chance(50) ? 8 : 600)
    switch dice.number(4) {
    case 0: return [UInt8](repeating: UInt8(dice.number(256)), count: count)
    // A message of one element, a length beyond all bounds, and a TLS record with nothing behind it.
    case 1: return [0, 0, 0, 2, 0x81, UInt8(dice.number(8))]
    case 2: return [0x7f, 0xff, 0xff, 0xff]
    default: return (0..<count).map { _ in UInt8(dice.number(256)) }
    }
  }
}
