internal import Domain

/// A line of Markdown text, parsed as far as check lists require.
enum MarkdownLine: Equatable {
  case item(MarkdownItem)
  case heading(String)
  /// The beginning or end of a code block.
  case fence(String)
  case blank
  case other

  init(_ text: Substring) {
    let visible = text.drop { $0 == " " || $0 == "\t" }
    if visible.allSatisfy(\.isWhitespace) {
      self = .blank
    } else if let fence = Self.fence(visible) {
      self = .fence(fence)
    } else if let heading = Self.heading(visible) {
      self = .heading(heading)
    } else if let item = MarkdownItem(
      visible, indent: Self.width(text.prefix(upTo: visible.startIndex)))
    {
      self = .item(item)
    } else {
      self = .other
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
    // Number signs at the end are decoration.
    let tail = words.reversed().prefix { $0 == "#" }.count
    if tail > 0, words.dropLast(tail).last?.isWhitespace ?? true {
      words = String(words.dropLast(tail)).trimmed
    }
    return words.isEmpty ? nil : words
  }
}

/// An item of a check list.
struct MarkdownItem: Equatable {
  var isDone = false
  var title = ""
  /// The indentation in columns.
  var indent = 0
  /// The id and base that a book wrote after the item, in a comment that a reader does not see.
  var id: String?
  var base: String?

  private static let opening = " <!-- daybook "
  private static let closing = " -->"
  /// A line break within an item.
  private static let lineEnd = "<br>"

  init(isDone: Bool, title: String, indent: Int, id: String?, base: String?) {
    (self.isDone, self.title, self.indent) = (isDone, title, indent)
    (self.id, self.base) = (id, base)
  }

  /// Parses `- [x] Title`, with any list marker; nil for anything else.
  init?(_ text: Substring, indent: Int) {
    self.indent = indent
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
    let box = rest.dropFirst(blanks.count).prefix(3)
    rest = rest.dropFirst(blanks.count + 3)
    guard !blanks.isEmpty, ["[ ]", "[x]", "[X]"].contains(box), rest.first?.isWhitespace ?? true
    else { return nil }
    isDone = box != "[ ]"
    title = String(rest).trimmed
    takeMark()
    title = title.replacing(Self.lineEnd, with: "\n").trimmed
  }

  private mutating func takeMark() {
    guard title.hasSuffix(Self.closing),
      let start = title.ranges(of: Self.opening).last?.lowerBound
    else { return }
    let words = title[start...].dropFirst(Self.opening.count).dropLast(Self.closing.count)
      .split(separator: " ").map(String.init)
    guard words.count == 1 || words.count == 2 else { return }
    (id, base) = (words[0], words.count == 2 ? words[1] : nil)
    title = String(title[..<start]).trimmed
  }

  var text: String {
    let words = title.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .joined(separator: Self.lineEnd)
    let mark = id.map { Self.opening + $0 + (base.map { " " + $0 } ?? "") + Self.closing } ?? ""
    return String(repeating: " ", count: indent) + (isDone ? "- [x] " : "- [ ] ") + words + mark
  }
}
