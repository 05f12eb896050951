internal import Domain

/// The text of an item, parsed as Obsidian's Tasks plugin parses it: while the text ends with a tag, or with a sign and
/// its value, that part is removed from the end.
///
/// Tags are also removed from the beginning, where programs put the tags by which they find their items. Tags between
/// words stay in the title. A backslash keeps a sign or a tag in the title.
struct MarkdownText: Equatable {
  private(set) var title = ""
  private(set) var tags: [String] = []
  /// The values of signs as text; the value of the priority is its sign.
  private(set) var values: [MarkdownSign: String] = [:]
  /// The name at the end by which other notes link to the item, as in `^a1b2c3`.
  private(set) var anchor: String?
  /// The text after the last sign of a day, if it begins like a date without being a date; both are part of the title.
  private(set) var unreadableDay: String?

  init(_ text: String) {
    var rest = text.trimmed[...]
    takeAnchor(&rest)
    var last: [String] = []
    while true {
      if let tag = Self.takeLastTag(&rest) {
        last.append(tag)
      } else if !takeSign(&rest) {
        break
      }
    }
    while let tag = Self.takeFirstTag(&rest) { tags.append(tag) }
    tags += last.reversed()
    title = Self.withoutEscapes(rest)
  }

  private mutating func takeAnchor(_ rest: inout Substring) {
    guard let start = Self.lastWord(rest), start > rest.startIndex, Self.isAnchor(rest[start...])
    else { return }
    anchor = String(rest[start...])
    rest = Self.trimmed(rest[..<start])
  }

  private static func isAnchor(_ word: Substring) -> Bool {
    let name = word.dropFirst()
    return word.first == "^" && !name.isEmpty
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }

  // A title is never empty, so the last word stays.

  private static func takeLastTag(_ rest: inout Substring) -> String? {
    guard let start = lastWord(rest), start > rest.startIndex,
      let tag = MarkdownTag.name(of: rest[start...])
    else { return nil }
    rest = trimmed(rest[..<start])
    return tag
  }

  private static func takeFirstTag(_ rest: inout Substring) -> String? {
    guard let end = rest.firstIndex(where: \.isWhitespace),
      let tag = MarkdownTag.name(of: rest[..<end])
    else { return nil }
    rest = rest[end...].drop(while: \.isWhitespace)
    return tag
  }

  private mutating func takeSign(_ rest: inout Substring) -> Bool {
    guard let sign = Sign(lastIn: rest), sign.place > rest.startIndex else { return false }
    guard sign.hasValue else {
      if sign.meaning.isDay, sign.value.first?.isNumber ?? false { unreadableDay = sign.value }
      return false
    }
    guard !rest[..<sign.place].hasSuffix("\\"), values[sign.meaning] == nil else { return false }
    values[sign.meaning] =
      sign.meaning == .priority ? String(rest.unicodeScalars[sign.place]) : sign.value
    rest = Self.trimmed(rest[..<sign.place])
    return true
  }

  /// The last sign of the text, and everything after that sign.
  private struct Sign {
    let place: String.Index
    let meaning: MarkdownSign
    let value: String

    init?(lastIn text: Substring) {
      let scalars = text.unicodeScalars
      guard let place = scalars.lastIndex(where: { MarkdownSign.byScalar[$0] != nil }),
        let meaning = MarkdownSign.byScalar[scalars[place]]
      else { return nil }
      (self.place, self.meaning) = (place, meaning)
      // A sign may be followed by the character that selects its coloured form.
      value = String(scalars[place...].dropFirst().drop { $0 == "\u{FE0F}" }).trimmed
    }

    var hasValue: Bool { meaning.isValue(value) }
  }

  /// Returns the sign at the end of a title whose value cannot be read, with its value and the text before it.
  static func unreadSign(
    endingIn title: String
  ) -> (sign: MarkdownSign, value: String, before: MarkdownText)? {
    guard let sign = Sign(lastIn: title[...]), !sign.hasValue, sign.meaning != .priority,
      !sign.value.isEmpty
    else { return nil }
    let before = MarkdownText(String(title[..<sign.place]))
    return before.title.isEmpty ? nil : (sign.meaning, sign.value, before)
  }

  private static func lastWord(_ text: Substring) -> String.Index? {
    guard !text.isEmpty else { return nil }
    return text.lastIndex(where: \.isWhitespace).map(text.index(after:)) ?? text.startIndex
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}

extension MarkdownText {
  /// Returns the written form of a title before the given tags and signs, escaped only if it would otherwise be
  /// misread.
  static func written(_ title: String, before tail: String) -> String {
    var expected = MarkdownText("- " + tail)
    expected.title = title
    let (end, start) = (withEscape(title[...], at: lastElement), firstWord)
    let forms = [title, end, withEscape(title[...], at: start), withEscape(end[...], at: start)]
    return forms.first { form in
      var text = MarkdownText(form + " " + tail)
      text.unreadableDay = nil
      return text == expected
    } ?? title
  }

  private static func withEscape(
    _ text: Substring, at element: (Substring) -> String.Index?
  ) -> String {
    guard let place = element(text) else { return String(text) }
    return String(text[..<place]) + "\\" + text[place...]
  }

  /// Removes one backslash before the last element, and one before the first word.
  private static func withoutEscapes(_ text: Substring) -> String {
    let title = withoutEscape(text, at: lastElement)
    return text.contains(where: \.isWhitespace)
      ? withoutEscape(title[...], at: firstWord) : title
  }

  private static func withoutEscape(
    _ text: Substring, at element: (Substring) -> String.Index?
  ) -> String {
    guard let place = element(text), text[place...].first == "\\" else { return String(text) }
    return String(text[..<place]) + text[place...].dropFirst()
  }

  /// Returns the beginning of the tag, anchor or sign at the end, including backslashes before it.
  private static func lastElement(_ text: Substring) -> String.Index? {
    if let start = lastWord(text) {
      let word = text[start...].drop { $0 == "\\" }
      if MarkdownTag.name(of: word) != nil || isAnchor(word) { return start }
    }
    guard let sign = Sign(lastIn: text), sign.hasValue else { return nil }
    var place = sign.place
    while text[..<place].hasSuffix("\\") { place = text.index(before: place) }
    return place
  }

  /// Returns the start of the text if its first word, after any backslashes, is a tag.
  private static func firstWord(_ text: Substring) -> String.Index? {
    let word = text.prefix { !$0.isWhitespace }.drop { $0 == "\\" }
    return MarkdownTag.name(of: word) == nil ? nil : text.startIndex
  }
}

/// Obsidian tags, such as `#home/garden`.
enum MarkdownTag {
  /// Returns the tag that the word represents; nil for other words, such as `#5`.
  static func name(of word: Substring) -> String? {
    let name = word.dropFirst()
    guard word.first == "#", name.contains(where: { !$0.isNumber }),
      name.unicodeScalars.allSatisfy(isAllowed)
    else { return nil }
    return String(name)
  }

  /// Returns the word for a tag; nil if the tag contains characters that end a tag.
  static func word(for tag: String) -> String? {
    let word = "#" + tag
    return name(of: word[...])?.utf8.elementsEqual(tag.utf8) ?? false ? word : nil
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && MarkdownSign.byScalar[scalar] == nil
      && !"!@#$%^&*(),.?\":{}|<>\\".unicodeScalars.contains(scalar)
  }
}
