import Domain

/// The words of English and German repeat phrases.
enum RepeatVocabulary {
  /// Phrases of several words that have one meaning, each with its mark, which is a word that cannot be typed.
  private static let phrases: [(words: [Substring], mark: String)] =
    [
      ("after it is done", done), ("after completion", done), ("after done", done),
      ("when done", done), ("from completion", done), ("nach der erledigung", done),
      ("nach erledigung", done), ("nach abschluss", done), ("wenn erledigt", done),
      ("counted from the start", "\u{1}start"), ("omitting missing days", "\u{1}omit"),
      ("falling on", "\u{1}falling"), ("end of the month", end), ("end of month", end),
      ("month end", end), ("monatsende", end), ("of the month", month), ("of each month", month),
      ("of every month", month), ("in the month", month), ("des monats", month),
      ("eines monats", month), ("im monat", month),
    ].map { ($0.0.split(separator: " "), $0.1) }
  private static let done = "\u{1}done"
  private static let end = "\u{1}end"
  private static let month = "\u{1}month"

  /// The words, with phrases of several words replaced by their marks.
  static func marked(_ words: [String]) -> [String] {
    var marked: [String] = []
    var rest = words[...]
    while let word = rest.first {
      let found = phrases.first { rest.starts(with: $0.words) { $0 == $1 } }
      marked.append(found?.mark ?? word)
      rest = rest.dropFirst(found?.words.count ?? 1)
    }
    return marked
  }

  /// The meaning of a word; nil if the word has no meaning in a repeat phrase.
  static func tokens(_ word: String) -> [RepeatToken]? {
    if let known = words[word] { return known }
    if let weekday = weekday(word) { return weekday }
    if let month = months[word] { return [.month(month)] }
    return numbered(word)
  }

  /// The number that a word means: `2`, `two`, `zwei`.
  static func number(_ word: String) -> Int? {
    if let place = numbers.firstIndex(where: { $0.contains(word) }) { return place + 1 }
    guard (1...7).contains(word.utf8.count), word.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(word)
  }

  private static let every: RepeatToken = .every()

  private static let words: [String: [RepeatToken]] = {
    var words: [String: [RepeatToken]] = [
      "each": [.every(keepsMissed: true)],
      "each!": [.every(keepsMissed: true, countsFromDone: true)],
      "daily": [every, .unit(.daily)], "weekly": [every, .unit(.weekly)],
      "monthly": [every, .unit(.monthly)], "yearly": [every, .unit(.yearly)],
      "annually": [every, .unit(.yearly)], "biweekly": [every, .unit(.weekly, count: 2)],
      "fortnightly": [every, .unit(.weekly, count: 2)],
      "quarterly": [every, .unit(.monthly, count: 3)],
      "täglich": [every, .unit(.daily)], "wöchentlich": [every, .unit(.weekly)],
      "monatlich": [every, .unit(.monthly)], "jährlich": [every, .unit(.yearly)],
      "zweiwöchentlich": [every, .unit(.weekly, count: 2)],
      "vierteljährlich": [every, .unit(.monthly, count: 3)],
      "halbjährlich": [every, .unit(.monthly, count: 6)],
      "weekdays": [every, .workdays], "werktags": [every, .workdays],
      "wochentags": [every, .workdays], "weekends": [every, .weekend],
      "other": [.other], "in": [.inMonths], "im": [.inMonths], "of": [.of], "des": [.of],
      "\u{1}done": [.afterDone], "\u{1}start": [.fromStart], "\u{1}omit": [.omitting],
      "\u{1}falling": [.falling], "\u{1}month": [.ofMonth],
      "\u{1}end": [.ordinal(-1), .unit(.daily)],
      "penultimate": [.ordinal(-2)],
    ]
    for lead in ["every", "jeden", "jede", "jedes", "jeder", "alle"] {
      words[lead] = [every]
      words[lead + "!"] = [.every(countsFromDone: true)]
    }
    let same: [(RepeatToken, String)] = [
      (.unit(.daily), "day days tag tage tagen"),
      (.unit(.weekly), "week weeks woche wochen"),
      (.unit(.weekly, count: 2), "fortnight fortnights"),
      (.unit(.monthly), "month months monat monats monate monaten"),
      (.unit(.monthly, count: 3), "quarter quarters quartal quartale vierteljahr"),
      (.unit(.monthly, count: 6), "halbjahr halbjahre"),
      (.unit(.yearly), "year years jahr jahres jahre jahren"),
      (.workdays, "weekday workday werktag wochentag arbeitstag"),
      (.weekend, "weekend wochenende"),
      (.ordinal(1), "first erste ersten erster erstes"),
      (.ordinal(2), "second zweite zweiten zweiter zweites"),
      (.ordinal(3), "third dritte dritten dritter drittes"),
      (.ordinal(4), "fourth vierte vierten vierter viertes"),
      (.ordinal(5), "fifth fünfte fünften fünfter fünftes"),
      (.ordinal(-1), "last letzte letzten letzter letztes"),
      (.ordinal(-2), "vorletzte vorletzten vorletzter vorletztes"),
    ]
    for (token, all) in same {
      for word in all.split(separator: " ") { words[String(word)] = [token] }
    }
    for word in "on the and at am an den der und & +".split(separator: " ") {
      words[String(word)] = []
    }
    return words
  }()

  private static let numbers: [[String]] = [
    ["one", "ein", "eine", "einen", "einem"], ["two", "zwei"], ["three", "drei"], ["four", "vier"],
    ["five", "fünf"], ["six", "sechs"], ["seven", "sieben"], ["eight", "acht"], ["nine", "neun"],
    ["ten", "zehn"], ["eleven", "elf"], ["twelve", "zwölf"],
  ]

  private static let months: [String: Int] = {
    let names = [
      "january jan januar jänner", "february feb februar", "march mar märz maerz mär mrz",
      "april apr", "may mai", "june jun juni", "july jul juli", "august aug",
      "september sep sept", "october oct oktober okt", "november nov", "december dec dezember dez",
    ]
    var months: [String: Int] = [:]
    for (place, all) in names.enumerated() {
      for name in all.split(separator: " ") { months[String(name)] = place + 1 }
    }
    return months
  }()

  private static let weekdays = [
    "monday mon montag mo", "tuesday tue tues dienstag di", "wednesday wed mittwoch mi",
    "thursday thu thur thurs donnerstag do", "friday fri freitag fr",
    "saturday sat samstag sonnabend sa", "sunday sun sonntag so",
  ].map { $0.split(separator: " ").map(String.init) }

  /// Reads a weekday such as `mon` or `Montag`; `mondays` and `montags` mean every Monday.
  private static func weekday(_ word: String) -> [RepeatToken]? {
    for (place, names) in weekdays.enumerated() {
      guard let weekday = Weekday(rawValue: place + 1) else { continue }
      if names.contains(word) { return [.weekdays([weekday])] }
      let single = word.dropLast()
      if word.hasSuffix("s"), single.count > 3, names.contains(String(single)) {
        return [every, .weekdays([weekday])]
      }
    }
    return nil
  }

  /// Reads a word that contains a number: `2`, `two`, `15th`, `15.`, `2nd-last`, `24.12.`, and so on.
  private static func numbered(_ word: String) -> [RepeatToken]? {
    if let number = number(word) { return [.number(number)] }
    if word.hasSuffix("-last") {
      let number = String(word.dropLast(5))
      guard !number.hasSuffix("-last"), case .ordinal(let place)? = tokens(number)?.first, place > 0
      else { return nil }
      return [.ordinal(-place)]
    }
    if ["st", "nd", "rd", "th"].contains(word.suffix(2)) {
      return number(String(word.dropLast(2))).map { [.ordinal($0)] }
    }
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 2, parts[1].isEmpty { return number(String(parts[0])).map { [.ordinal($0)] } }
    guard parts.count == 2 || parts.count == 3 && parts[2].isEmpty,
      let day = number(String(parts[0])), let month = number(String(parts[1])),
      (1...12).contains(month)
    else { return nil }
    return [.ordinal(day), .month(month)]
  }
}
