/// A part of a phrase that varies.
enum Slot: String, Sendable {
  case number, unit, span
  /// `abbreviation` is a name of a weekday that is also another word, such as the German `do`; `isoDay` its number.
  case weekday, abbreviation, isoDay
  case month, monthNumber
  /// `nth` is a day of a month that cannot be another number, such as `5th`.
  case day, nth
  case year, yearDay, week
  /// A place among the weekdays of a month: 1 to 4, or ``Slot/lastOrdinal``.
  case ordinal
  case hour, minute, period

  static let lastOrdinal = 5

  /// The slot under which the value is kept.
  fileprivate var kept: Slot {
    switch self {
    case .abbreviation, .isoDay: .weekday
    case .monthNumber: .month
    case .nth: .day
    default: self
    }
  }

  /// How many digits a number in this slot may have, and its values; nil if only words fill the slot.
  fileprivate var digits: (counts: ClosedRange<Int>, values: ClosedRange<Int>)? {
    switch self {
    case .number: (1...7, 0...1_000_000)
    case .isoDay: (1...1, 1...7)
    case .monthNumber: (1...2, 1...12)
    // A day that no month has, and a year of two digits, are errors that are reported to the user.
    case .day, .week: (1...2, 0...99)
    case .year: (2...4, 0...9999)
    case .yearDay: (3...3, 0...999)
    case .hour: (1...2, 0...24)
    case .minute: (2...2, 0...59)
    case .unit, .span, .weekday, .abbreviation, .month, .nth, .ordinal, .period: nil
    }
  }
}

/// The values that a phrase has in its slots.
struct SlotValues: Sendable {
  private var values: [Slot: Int] = [:]

  subscript(slot: Slot) -> Int? { values[slot] }

  func setting(_ slot: Slot, _ value: Int) -> SlotValues {
    var changed = self
    changed.values[slot.kept] = value
    return changed
  }
}

/// The words that fill the slots in one language.
struct Vocabulary: Sendable {
  private struct Word: Sendable {
    let letters: [Unicode.Scalar]
    let value: Int
  }

  private var slots: [Slot: [Word]] = [:]

  /// - Parameters:
  ///   - words: The words of each slot with their values.
  ///   - spellings: Other ways to write a letter, such as `ue` for `ü`.
  init(_ words: [Slot: [(String, Int)]], spellings: [Character: String] = [:]) {
    for (slot, pairs) in words {
      for (word, value) in pairs {
        let other = word.map { spellings[$0] ?? String($0) }.joined()
        for spelled in Set([word, other]) {
          slots[slot, default: []].append(
            Word(letters: Array(spelled.unicodeScalars), value: value))
        }
      }
    }
  }

  /// Returns words with their values; each text holds words of one value, and the values count from `first`.
  static func list(from first: Int = 1, _ texts: String...) -> [(String, Int)] {
    texts.enumerated().flatMap { place, text in
      text.split(separator: " ").map { (String($0), first + place) }
    }
  }

  /// The words of all slots, in no particular order.
  var words: [String] { slots.keys.flatMap { words(of: $0).map(\.text) } }

  /// Returns the words of a slot, the longest first.
  func words(of slot: Slot) -> [(text: String, value: Int)] {
    (slots[slot] ?? []).sorted { $0.letters.count > $1.letters.count }
      .map { (String(String.UnicodeScalarView($0.letters)), $0.value) }
  }

  /// Returns the scalars with which text in a slot can begin.
  func beginnings(of slot: Slot) -> Set<Unicode.Scalar> {
    let digits: [Unicode.Scalar] = slot.digits == nil ? [] : Array("0123456789".unicodeScalars)
    return Set(digits + (slots[slot] ?? []).compactMap(\.letters.first))
  }

  /// Returns the possible meanings of the beginning of the text in a slot, each with its number of scalars.
  func readings(of slot: Slot, at text: ArraySlice<Unicode.Scalar>) -> [(length: Int, value: Int)] {
    var found = (slots[slot] ?? []).filter { text.starts(with: $0.letters) }
      .map { (length: $0.letters.count, value: $0.value) }
    if let digits = slot.digits {
      let run = text.prefix(8).prefix { ("0"..."9").contains($0) }
      // A year has two digits or four; others are part of something else.
      if digits.counts.contains(run.count), slot != .year || run.count != 3,
        case let value = run.reduce(0, { $0 * 10 + Int($1.value - 0x30) }),
        digits.values.contains(value)
      {
        found.append((run.count, value))
      }
    }
    return found
  }
}
