internal import Domain

/// A line of Markdown text, with the details that check lists require.
enum MarkdownLine: Equatable {
  case item(MarkdownItem)
  /// An item of an ordinary list, with its indentation in columns.
  case point(indent: Int)
  case heading(String)
  /// The beginning or end of a code block.
  case fence(String)
  case blank
  case other(indent: Int)

  init(_ text: Substring) {
    let visible = text.drop { $0 == " " || $0 == "\t" }
    let indent = Self.width(text.prefix(upTo: visible.startIndex))
    if visible.allSatisfy(\.isWhitespace) {
      self = .blank
    } else if let fence = Self.fence(visible) {
      self = .fence(fence)
    } else if let heading = Self.heading(visible) {
      self = .heading(heading)
    } else if let rest = Self.point(visible) {
      self = MarkdownItem(rest, indent: indent).map(MarkdownLine.item) ?? .point(indent: indent)
    } else {
      self = .other(indent: indent)
    }
  }

  private static func width(_ blanks: Substring) -> Int {
    blanks.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
  }

  private static func fence(_ text: Substring) -> String? {
    let mark = text.prefix { $0 == "`" }.count >= 3 ? "`" : "~"
    let marks = text.prefix { String($0) == mark }
    return marks.count >= 3 ? String(marks) : nil
  }

  private static func heading(_ text: Substring) -> String? {
    let signs = text.prefix { $0 == "#" }
    guard (1...6).contains(signs.count), text.dropFirst(signs.count).first?.isWhitespace ?? true
    else { return nil }
    var words = String(text.dropFirst(signs.count)).trimmed
    // Number signs at the end are only decoration.
    let tail = words.reversed().prefix { $0 == "#" }.count
    if tail > 0, words.dropLast(tail).last?.isWhitespace ?? true {
      words = String(words.dropLast(tail)).trimmed
    }
    return words.isEmpty ? nil : words
  }

  /// Returns the text after a list marker, such as `-` or `2.`; nil if the line has none.
  private static func point(_ text: Substring) -> Substring? {
    var rest = text
    if let sign = rest.first, "-*+".contains(sign) {
      rest = rest.dropFirst()
    } else {
      let number = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(number.count)
      guard (1...9).contains(number.count), let sign = rest.first, ".)".contains(sign) else {
        return nil
      }
      rest = rest.dropFirst()
    }
    let blanks = rest.prefix { $0 == " " || $0 == "\t" }
    return blanks.isEmpty ? nil : rest.dropFirst(blanks.count)
  }
}

/// An item of a check list.
struct MarkdownItem: Equatable {
  /// The state of an item, whose raw value is the character in its box.
  enum State: Character {
    case open = " "
    case begun = "/"
    case done = "x"
    case cancelled = "-"
  }

  var state = State.open
  var title = ""
  /// The indentation in columns.
  var indent = 0
  var tags: [String] = []
  /// The values of the signs as text; the value of the priority is its sign.
  var values: [MarkdownSign: String] = [:]
  var anchor: String?
  /// Text in the title that follows a sign and looks like a day, but is not one.
  private(set) var unreadableDay: String?
  var comment: MarkdownComment?

  /// A line break within an item.
  private static let lineEnd = "<br>"

  init(title: String) { self.title = title }

  /// Parses `[x] Title`, the text after a list marker; nil for anything else.
  init?(_ text: Substring, indent: Int) {
    let box = Array(text.prefix(3))
    let rest = text.dropFirst(3)
    guard box.count == 3, box[0] == "[", box[2] == "]", rest.first?.isWhitespace ?? true,
      let state = State(rawValue: box[1] == "X" ? "x" : box[1])
    else { return nil }
    (self.state, self.indent) = (state, indent)
    var words = String(rest).trimmed
    comment = MarkdownComment.take(from: &words)
    let parts = MarkdownText(words)
    (tags, values, anchor) = (parts.tags, parts.values, parts.anchor)
    unreadableDay = comment == nil ? parts.unreadableDay : nil
    title = parts.title.replacing(Self.lineEnd, with: "\n").trimmed
  }

  /// The line without a line break.
  var text: String {
    let signs = MarkdownSign.allCases.compactMap { sign in
      values[sign].map { sign == .priority ? $0 : sign.text + " " + $0 }
    }
    let tail = tags.compactMap(MarkdownTag.word) + signs + [anchor].compactMap(\.self)
    let words = title.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .joined(separator: Self.lineEnd)
    let head = MarkdownText.written(words, before: tail.joined(separator: " "))
    let start = String(repeating: " ", count: indent) + "- [\(state.rawValue)] " + head
    return ([start] + [comment?.text].compactMap(\.self) + tail).joined(separator: " ")
  }
}
