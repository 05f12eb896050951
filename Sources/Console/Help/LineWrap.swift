/// Wraps the lines of help, usage and errors to the width of a terminal.
struct LineWrap {
  /// The maximum width; longer lines are hard to read.
  private static let most = 100
  /// The width without a terminal.
  private static let usual = 80

  private let columns: Int

  /// Creates a wrap for a terminal of the given width, or for no terminal if the width is nil.
  init(fitting columns: Int?) { self.columns = columns.map { min($0, Self.most) } ?? Self.usual }

  /// Wraps each line between words.
  ///
  /// Continuation lines are indented to the last column of a table, or to the text after `usage: daybook`. A bracketed
  /// option or a command in quotes stays on one line if it fits. An example stays on one line, so that it can be
  /// copied.
  func wrapped(_ lines: [String]) -> [String] { lines.flatMap(wrapped) }

  private func wrapped(_ line: String) -> [String] {
    guard TextWidth.columns(of: line) > columns else { return [line] }
    let text = line[textStart(of: line)...]
    let isComment = text.hasPrefix("# ")
    if !isComment, line.hasPrefix("  daybook ") || line.hasPrefix("daybook ") { return [line] }
    let head = line[..<text.startIndex]
    let margin = String(repeating: " ", count: TextWidth.columns(of: String(head)))
    let more = margin + (isComment ? "# " : "")
    var lines = [String(head)]
    var isEmpty = true
    for unit in units(of: text, within: columns - TextWidth.columns(of: more)) {
      let last = lines[lines.count - 1]
      let joined = isEmpty ? last + unit : last + " " + unit
      if isEmpty || TextWidth.columns(of: joined) <= columns {
        lines[lines.count - 1] = joined
      } else {
        lines.append(more + unit)
      }
      isEmpty = false
    }
    return lines
  }

  /// Returns the offset of the text that is wrapped; the text before it is only on the first line.
  private func textStart(of line: String) -> String.Index {
    let start = line.firstIndex { $0 != " " } ?? line.endIndex
    let usage = "usage: daybook "
    if line[start...].hasPrefix(usage) {
      return line.index(start, offsetBy: usage.count)
    }
    guard let gap = line[start...].firstRange(of: "  ") else { return start }
    let text = line[gap.upperBound...].firstIndex { $0 != " " } ?? start
    // A narrow column to the right of a wide column would be harder to read than lines that begin further left.
    return TextWidth.columns(of: String(line[..<text])) <= columns / 2 ? text : start
  }

  /// Returns the parts between which a line may end.
  private func units(of text: Substring, within room: Int) -> [String] {
    var units: [String] = []
    var open: [Substring] = []
    for word in text.split(separator: " ") {
      open.append(word)
      if Self.isOpen(open) { continue }
      units += Self.closed(open, within: room)
      open = []
    }
    return units + open.map(String.init)
  }

  /// Returns words that belong together as one unit, or each as its own unit if they do not fit on a line.
  private static func closed(_ words: [Substring], within room: Int) -> [String] {
    let unit = words.joined(separator: " ")
    return TextWidth.columns(of: unit) <= room ? [unit] : words.map(String.init)
  }

  /// Whether the words end inside a bracket or a quoted command that they begin.
  private static func isOpen(_ words: [Substring]) -> Bool {
    guard let first = words.first, let last = words.last else { return false }
    if first.hasPrefix("'daybook"), words.count == 1 || !last.contains("'") {
      return !first.dropFirst().contains("'")
    }
    guard first.hasPrefix("[") else { return false }
    let depth = words.joined().reduce(0) { depth, letter in
      depth + (letter == "[" ? 1 : letter == "]" ? -1 : 0)
    }
    return depth > 0
  }
}
