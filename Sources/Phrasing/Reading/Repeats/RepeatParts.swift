/// A repeat phrase without the words about its beginning and end.
struct RepeatParts {
  private(set) var core = ""
  private(set) var count: Int?
  private(set) var until: String?
  private(set) var begin: String?

  private static let untilWords: Set<String> = ["until", "till", "til", "bis"]
  private static let beginWords: Set<String> = ["starting", "from", "ab"]
  private static let timesWords: Set<String> = ["times", "time", "mal"]

  /// Divides an English or German phrase in lower case.
  init(_ words: String) throws(RepeatFault) {
    let parts = words.split { $0 == " " || $0 == "," || $0 == ";" }.map(String.init)
    var core: [String] = []
    var rest = RepeatVocabulary.marked(parts)[...]
    while let word = rest.popFirst() {
      if Self.untilWords.contains(word), until == nil {
        until = Self.takeDate(&rest)
      } else if Self.beginWords.contains(word), begin == nil {
        begin = Self.takeDate(&rest)
      } else if let number = Self.times(word, &rest) {
        guard count == nil else { throw .unreadable(word: word) }
        if core.last == "for" { core.removeLast() }
        count = number
      } else {
        core.append(word)
      }
    }
    self.core = core.joined(separator: " ")
  }

  /// Takes the words up to the next part of the phrase.
  private static func takeDate(_ rest: inout ArraySlice<String>) -> String {
    let date = rest.prefix { word in
      !untilWords.contains(word) && !beginWords.contains(word) && !word.hasPrefix("\u{1}")
    }
    rest = rest.dropFirst(date.count)
    return date.joined(separator: " ")
  }

  /// Takes `10 times`, `10x`, `zehn Mal`.
  private static func times(_ word: String, _ rest: inout ArraySlice<String>) -> Int? {
    for ending in ["x", "-mal", "mal"] where word.hasSuffix(ending) && word.count > ending.count {
      if let number = RepeatVocabulary.number(String(word.dropLast(ending.count))) { return number }
    }
    guard let next = rest.first, timesWords.contains(next),
      let number = RepeatVocabulary.number(word)
    else { return nil }
    rest.removeFirst()
    return number
  }

  /// Divides a Chinese phrase: 每周一直到2027年1月1日, 从12月1日开始每两周, 每天10次.
  init(chinese words: String) throws(RepeatFault) {
    var text = words.filter { !$0.isWhitespace }
    if let start = Self.firstRange(of: ["直到", "到"], in: text) {
      var date = String(text[start.upperBound...])
      for ending in ["为止", "止"] where date.hasSuffix(ending) { date.removeLast(ending.count) }
      until = date
      text = String(text[..<start.lowerBound])
    }
    if let start = text.firstRange(of: "从"),
      let end = Self.firstRange(of: ["开始", "起"], in: text), start.upperBound <= end.lowerBound
    {
      begin = String(text[start.upperBound..<end.lowerBound])
      text.removeSubrange(start.lowerBound..<end.upperBound)
    }
    if text.hasSuffix("次"), !text.hasSuffix("一次") {
      let characters = Array(text.dropLast())
      let length = characters.reversed().prefix { !"共，,、每天周月年期日".contains($0) }.count
      count = ChineseRepeat.number(characters.suffix(length))
      guard count != nil else { throw .unreadable(word: text) }
      text = String(characters.dropLast(length).filter { $0 != "共" })
    }
    core = text
  }

  private static func firstRange(of words: [String], in text: String) -> Range<String.Index>? {
    words.lazy.compactMap { text.firstRange(of: $0) }.first
  }
}
