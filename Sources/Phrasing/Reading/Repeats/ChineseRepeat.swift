import Domain

/// Divides a Chinese repeat phrase, which has no spaces, into its words.
struct ChineseRepeat {
  private let text: [Character]
  private var place = 0
  private var tokens: [RepeatToken] = []

  /// Whether text contains a Chinese character.
  static func isChinese(_ text: String) -> Bool {
    text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }
  }

  /// Returns the words of a phrase; throws a fault that contains the rest if the rest cannot be read.
  static func tokens(_ text: String) throws(RepeatFault) -> [RepeatToken] {
    var reader = ChineseRepeat(text)
    while reader.place < reader.text.count {
      guard reader.takeWord() || reader.takeNumber() else {
        throw .unreadable(word: String(reader.text[reader.place...]))
      }
    }
    return reader.tokens
  }

  private init(_ text: String) {
    // 一次 means "once", so 每两周一次 is 每两周, and does not name a Monday.
    self.text = Array(text.replacing("一次", with: "").filter { !$0.isWhitespace })
  }

  private static let words: [(String, [RepeatToken])] = [
    ("每！", [.every(countsFromDone: true)]), ("每!", [.every(countsFromDone: true)]),
    ("每隔一", [.every(), .other]), ("每一个", [.every()]), ("每个", [.every()]),
    ("每逢", [.every()]), ("每", [.every()]),
    ("完成之后", [.afterDone]), ("完成后", [.afterDone]), ("做完后", [.afterDone]),
    ("工作日", [.workdays]), ("周末", [.weekend]), ("月底", [.ordinal(-1), .unit(.daily)]),
    ("月末", [.ordinal(-1), .unit(.daily)]),
    ("个星期", [.unit(.weekly)]), ("星期", [.unit(.weekly)]), ("个礼拜", [.unit(.weekly)]),
    ("礼拜", [.unit(.weekly)]), ("周", [.unit(.weekly)]), ("天", [.unit(.daily)]),
    ("日", [.unit(.daily)]), ("个月", [.unit(.monthly)]), ("月", [.unit(.monthly)]),
    ("个季度", [.unit(.monthly, count: 3)]), ("季度", [.unit(.monthly, count: 3)]),
    ("半年", [.unit(.monthly, count: 6)]), ("年", [.unit(.yearly)]),
    ("最后一个", [.ordinal(-1)]), ("最后一", [.ordinal(-1)]), ("最后", [.ordinal(-1)]),
    ("的", []), ("在", []), ("和", []), ("及", []), ("与", []), ("、", []), ("，", []), (",", []),
    ("。", []),
  ]
  private static let weekdays: [Character] = ["一", "二", "三", "四", "五", "六", "日", "天"]

  private mutating func takeWord() -> Bool {
    if takeWeekday() { return true }
    let rest = text[place...]
    guard let found = Self.words.first(where: { rest.starts(with: $0.0) }) else { return false }
    place += found.0.count
    tokens += found.1
    return true
  }

  /// Takes 周一, 星期日, and the rest of 周一、四 or 周一三五.
  private mutating func takeWeekday() -> Bool {
    let rest = text[place...]
    guard let name = ["星期", "礼拜", "周"].first(where: { rest.starts(with: $0) }),
      let first = weekday(at: place + name.count)
    else { return false }
    place += name.count + 1
    var days = [first]
    while true {
      let next = place < text.count && "、,，和".contains(text[place]) ? place + 1 : place
      guard let day = weekday(at: next), !"个月号日天周年".contains(character(next + 1)) else { break }
      days.append(day)
      place = next + 1
    }
    tokens.append(.weekdays(days))
    return true
  }

  private func weekday(at place: Int) -> Weekday? {
    guard let number = Self.weekdays.firstIndex(of: character(place)) else { return nil }
    return Weekday(rawValue: min(number + 1, 7))
  }

  private func character(_ place: Int) -> Character { place < text.count ? text[place] : " " }

  /// Takes a number with the words after it: 3天, 15号, 12月, 第一个, 倒数第二个.
  private mutating func takeNumber() -> Bool {
    let rest = text[place...]
    let prefix = ["倒数第", "第"].first { rest.starts(with: $0) } ?? ""
    var end = place + prefix.count
    while Self.isDigit(character(end)) { end += 1 }
    guard let number = Self.number(text[(place + prefix.count)..<end]) else { return false }
    if !prefix.isEmpty {
      place = character(end) == "个" ? end + 1 : end
      tokens.append(.ordinal(prefix.count == 3 ? -number : number))
      return true
    }
    let isInterval = if case .every? = tokens.last { true } else { false }
    switch character(end) {
    case "月":
      guard (1...12).contains(number) else { return false }
      tokens.append(.month(number))
      end += 1
    case "号", "號":
      tokens.append(.ordinal(number))
      end += 1
    case "日" where !isInterval:
      tokens.append(.ordinal(number))
      end += 1
    default: tokens.append(.number(number))
    }
    place = end
    return true
  }

  private static let digits: [Character] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"]

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber || digits.contains(character)
      || "两十".contains(character)
  }

  /// Reads `12`, 两, 十五, 三十一.
  static func number(_ characters: ArraySlice<Character>) -> Int? {
    guard (1...7).contains(characters.count) else { return nil }
    if let number = Int(String(characters)) { return number }
    if characters == ["两"] { return 2 }
    guard characters.contains("十") else {
      return characters.count == 1 ? digits.firstIndex(of: characters.first ?? " ") : nil
    }
    let parts = characters.split(separator: "十", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.count <= 1 }) else { return nil }
    let tens = parts[0].first.map { digits.firstIndex(of: $0) } ?? 1
    let ones = parts[1].first.map { digits.firstIndex(of: $0) } ?? 0
    guard let tens, let ones else { return nil }
    return 10 * tens + ones
  }
}
