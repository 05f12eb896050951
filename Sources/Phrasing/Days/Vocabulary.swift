/// A part of a phrase that varies.
enum Slot: String, CaseIterable, Sendable {
  case number, unit, span
  /// `abbreviation` is an abbreviated weekday that is also a different word, such as the German `do`. `isoDay` is the
  /// number of a weekday.
  case weekday, abbreviation, isoDay
  case month, monthNumber
  /// `nth` is a day of a month that cannot be another number, such as `5th`.
  case day, nth
  case year, yearDay, week
  /// The position of a weekday within a month: 1 to 4, or ``Slot/lastOrdinal``.
  case ordinal
  case hour, minute, period

  static let lastOrdinal = 5

  /// The slot under which the value is stored.
  var kept: Slot {
    switch self {
    case .abbreviation, .isoDay: .weekday
    case .monthNumber: .month
    case .nth: .day
    default: self
    }
  }

  /// The number of digits that a number in this slot may have, and its values; nil if only words fill the slot.
  var digits: (counts: ClosedRange<Int>, values: ClosedRange<Int>)? {
    switch self {
    case .number: (1...7, 0...1_000_000)
    case .isoDay: (1...1, 1...7)
    case .monthNumber: (1...2, 1...12)
    // A day that no month has, or a two-digit year, is read so that the error can be reported to the user.
    case .day, .week: (1...2, 0...99)
    case .year: (2...4, 0...9999)
    case .yearDay: (3...3, 0...999)
    case .hour: (1...2, 0...24)
    case .minute: (2...2, 0...59)
    case .unit, .span, .weekday, .abbreviation, .month, .nth, .ordinal, .period: nil
    }
  }
}

/// The values in the slots of a phrase.
struct SlotValues: Sendable {
  private var values: [Slot: Int] = [:]

  subscript(slot: Slot) -> Int? { values[slot] }

  /// Sets the value of a slot, unless a later slot of the phrase has already set it.
  mutating func complete(_ slot: Slot, _ value: Int) {
    if values[slot.kept] == nil { values[slot.kept] = value }
  }
}

/// The words that fill the slots in one language.
struct Vocabulary: Sendable {
  private var readers: [String: SlotReader] = [:]
  private let spellings: [Unicode.Scalar: String]

  /// - Parameters:
  ///   - words: The words for each slot, with their values.
  ///   - spellings: Other ways to write a letter, such as `ue` for `ü`.
  init(_ words: [Slot: [(String, Int)]], spellings: [Unicode.Scalar: String] = [:]) {
    self.spellings = spellings
    for slot in Slot.allCases {
      readers[slot.rawValue] = SlotReader(slot, words[slot] ?? [], spellings: spellings)
    }
  }

  /// Returns words with their values.
  ///
  /// Each text contains the words for one value, and values are numbered consecutively from `first`.
  static func list(from first: Int = 1, _ texts: String...) -> [(String, Int)] {
    texts.enumerated().flatMap { place, text in
      text.utf8.split(separator: UInt8(ascii: " ")).map { (String(Substring($0)), first + place) }
    }
  }

  func reader(ofSlotNamed name: String) -> SlotReader? { readers[name] }

  /// Returns another way to write a letter.
  func spelling(of letter: Unicode.Scalar) -> String.UnicodeScalarView? {
    letter.isASCII ? nil : spellings[letter]?.unicodeScalars
  }

  /// The words of all slots, in no particular order.
  var words: [String] { readers.values.flatMap { $0.allWords.map(\.text) } }

  /// Returns the words of a slot, longest first.
  func words(of slot: Slot) -> [(text: String, value: Int)] {
    (readers[slot.rawValue]?.allWords ?? []).sorted { $0.text.count > $1.text.count }
  }
}
