internal import Domain

/// Finds the parents of to-dos in a table, which identifies parents by id, by title or by indentation.
struct CSVParents {
  private struct Child {
    var place: Int
    var cell: CSVRow.Cell
    /// Whether daybook wrote the table; if so, the cell may also contain the id of a to-do that is only in the book.
    var isOwn = false
  }

  private let program: CSVProgram?
  private var children: [Child] = []
  /// The indented to-dos above the current row: the level and the index of each record.
  private var above: [(level: Int, place: Int)] = []

  init(_ program: CSVProgram?) { self.program = program }

  /// Remembers the parent of a record that has just been appended.
  mutating func note(_ row: CSVRow, at place: Int, in file: inout ForeignFile) {
    guard let cell = row.cells(.parent).first, !CSVWords.isNone(cell.text) else { return }
    guard program?.topLevel != nil else {
      return children.append(Child(place: place, cell: cell, isOwn: row.layout.isOwn))
    }
    guard let level = Int(cell.text) else { return keep(Child(place: place, cell: cell), &file) }
    above.removeAll { $0.level >= level }
    if let parent = above.last { set(parent.place, of: Child(place: place, cell: cell), &file) }
    file.records[place].extra[cell.header] = nil
    above.append((level, place))
  }

  /// Sets the parents that are records of the table.
  ///
  /// Other parents are kept as text and noted, unless daybook wrote the table.
  mutating func finish(_ file: inout ForeignFile) {
    guard !children.isEmpty else { return }
    var ids: [String: Int] = [:]
    var titles: [String: [Int]] = [:]
    for (place, record) in file.records.enumerated() where record.kind == .todo {
      if ids[record.uid] == nil { ids[record.uid] = place }
      if case .value(let title)? = record.fields[Field.Todo.title], let text = title.text {
        titles[text, default: []].append(place)
      }
    }
    for child in children {
      let text = child.cell.text
      let named = titles[text] ?? []
      let parent =
        ids[program.map { "\($0.name):\(text)" } ?? text] ?? (named.count == 1 ? named[0] : nil)
      if let parent, parent != child.place {
        set(parent, of: child, &file)
      } else if !child.isOwn {
        keep(child, &file)
      }
    }
    children = []
  }

  private func set(_ parent: Int, of child: Child, _ file: inout ForeignFile) {
    file.records[child.place].fields[Field.Todo.parent] = .record(uid: file.records[parent].uid)
    file.records[child.place].extra[child.cell.header] = nil
  }

  private func keep(_ child: Child, _ file: inout ForeignFile) {
    file.records[child.place].unread.insert(Field.Todo.parent)
    let note = ForeignNote.notActedOn("\(child.cell.header): \(child.cell.text)")
    file.remark(file.records[child.place].place, note)
  }
}
