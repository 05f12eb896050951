/// A cell of a table: its text, and its style if there are colours.
struct Cell: ExpressibleByStringLiteral {
  var text: String
  let style: Style
  /// How the column becomes narrower if the terminal is too narrow.
  let giving: Giving
  /// How many bytes, all ASCII, can be omitted before and after the date or mark in the text; nil if the text contains
  /// neither.
  let dateMargins: (head: UInt8, tail: UInt8)?

  init(
    _ text: String, _ style: Style = .plain, giving: Giving = .words,
    dateMargins: (head: UInt8, tail: UInt8)? = nil
  ) {
    (self.text, self.style, self.giving, self.dateMargins) = (text, style, giving, dateMargins)
  }

  init(stringLiteral text: String) { self.init(text) }

  /// Creates a date or a mark, with text before and after it that is shown if it fits.
  init(date: String, after head: String, before tail: String, _ style: Style = .plain) {
    self.init(
      head + date + tail, style, giving: .never,
      dateMargins: (UInt8(clamping: head.utf8.count), UInt8(clamping: tail.utf8.count)))
  }

  var isDate: Bool { dateMargins != nil }

  /// Returns the text within the given number of columns: a date in the longest form that fits, or other text cut at
  /// the end.
  func fitted(to columns: Int) -> String {
    guard let dateMargins else {
      return TextWidth.columns(of: text) > columns ? TextWidth.cut(text, to: columns) : text
    }
    if text.utf8.count <= columns { return text }
    let near = text.dropLast(Int(dateMargins.tail))
    return String(near.utf8.count <= columns ? near : near.dropFirst(Int(dateMargins.head)))
  }
}
