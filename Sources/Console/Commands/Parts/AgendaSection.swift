/// A section of the agenda: its rows, of which only the first are shown, and the command that shows the others.
struct AgendaSection {
  /// The sections, in the order in which they are shortened if the agenda is too long.
  enum Part: Int, CaseIterable {
    case undated, next, birthdays, overdue, today

    /// The number of rows shown if there is room.
    var limit: Int {
      switch self {
      case .overdue, .next: 5
      case .today: 8
      case .undated, .birthdays: 3
      }
    }
  }

  /// The number of rows of a section.
  enum Count {
    case exactly(Int)
    /// Rows beyond this number are not counted, because reading them would take longer than the rest of the command.
    case moreThan(Int)
  }

  let part: Part
  let heading: String
  /// The rows shown if there is room.
  let rows: [[Cell]]
  let count: Count
  /// The command that shows all rows.
  let command: String
  let style: @Sendable (String) -> String
  /// The width of the terminal; nil if nothing is cut.
  let columns: Int?
  /// The number of rows that are shown.
  private(set) var limit: Int
  /// The heading, the rows that are shown, and the command for the others.
  private(set) var lines: [String] = []

  init(
    _ part: Part, _ heading: String, _ rows: [[Cell]], of count: Count, command: String,
    fitting columns: Int?, style: @escaping @Sendable (String) -> String = { $0 }
  ) {
    (self.part, self.heading, self.rows, self.count) = (part, heading, rows, count)
    (self.command, self.style, self.columns) = (command, style, columns)
    limit = rows.count
    lay()
  }

  private mutating func lay() {
    lines = [heading]
    lines += Table.lines(Array(rows.prefix(limit)), fitting: columns).map(style)
    switch count {
    case .exactly(let count) where count <= limit: break
    case .exactly(let count): lines.append("  and \(count - limit) more: \(command)")
    case .moreThan(let count):
      lines.append("  and more than \(count - limit) more: \(command)")
    }
  }
}

extension AgendaSection {
  /// Shows fewer rows until all sections together have at most the given number of lines.
  ///
  /// Each section shows at least one row. If the line that counts the other rows would take the place of a single row,
  /// that row stays.
  static func shorten(_ sections: inout [AgendaSection], to most: Int) {
    for part in Part.allCases {
      guard let place = sections.firstIndex(where: { $0.part == part }) else { continue }
      let whole = sections[place]
      let others = sections.reduce(-whole.lines.count) { $0 + $1.lines.count }
      while others + sections[place].lines.count > most, sections[place].limit > 1 {
        sections[place].limit -= 1
        sections[place].lay()
      }
      if sections[place].lines.count == whole.lines.count { sections[place] = whole }
    }
  }
}
