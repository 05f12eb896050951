/// A cell of a table: its text, and how it looks where there are colours.
struct Cell: ExpressibleByStringLiteral {
  var text: String
  let style: Style
  /// How its column gives way where a terminal is too narrow.
  let giving: Giving
  /// How many bytes of plain letters stand before and behind the date in the text, and may be left out; nil of others.
  let dateMargins: (head: UInt8, tail: UInt8)?

  init(
    _ text: String, _ style: Style = .plain, giving: Giving = .words,
    dateMargins: (head: UInt8, tail: UInt8)? = nil
  ) {
    (self.text, self.style, self.giving, self.dateMargins) = (text, style, giving, dateMargins)
  }

  init(stringLiteral text: String) { self.init(text) }

  /// A date, with what stands before and behind it where there is room.
  init(date: String, after head: String, before tail: String, _ style: Style = .plain) {
    self.init(
      head + date + tail, style, giving: .never,
      dateMargins: (UInt8(clamping: head.utf8.count), UInt8(clamping: tail.utf8.count)))
  }

  var isDate: Bool { dateMargins != nil }

  /// The text in so many columns: of a date as much as fits, of others the beginning.
  func fitted(to columns: Int) -> String {
    guard let dateMargins else {
      return TextWidth.columns(of: text) > columns ? TextWidth.cut(text, to: columns) : text
    }
    if text.utf8.count <= columns { return text }
    let near = text.dropLast(Int(dateMargins.tail))
    return String(near.utf8.count <= columns ? near : near.dropFirst(Int(dateMargins.head)))
  }
}
