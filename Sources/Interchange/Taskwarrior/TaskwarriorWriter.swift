internal import Bytes
internal import Domain

/// Writes to-dos for `task import`: an array with one task per line.
enum TaskwarriorWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    var written = ForeignText.Written()
    var lines: [String] = []
    let documents = contents.documents(.todo).sorted { $0.key < $1.key }
    for document in documents {
      guard let todo = Todo(document) else { continue }
      let task = TaskwarriorWriting(todo, document, contents, settings)
      task.count(&written)
      if todo.position != nil { written.lose("position", "positions") }
      if let created = todo.createdAt, todo.isDone, let done = todo.completedAt, done < created {
        written.lose("time of creation after completion", "times of creation after completion")
      }
      lines += task.lines
    }
    written.losePartialDues(of: contents)
    written.loseFormerOccurrences(of: contents)
    written.loseFields(ofListsIn: contents)
    written.loseAll(of: contents, but: [.todo, .list])
    let body = lines.isEmpty ? "" : lines.joined(separator: ",\n") + "\n"
    written.bytes = Array(("[\n" + body + "]\n").utf8)
    written.count = documents.count
    return written
  }
}

/// A to-do that is being written: its task, and the children of a series.
private struct TaskwarriorWriting {
  private var task: TaskwarriorMembers
  private var children: [TaskwarriorMembers]
  private let series: ExportedSeries?

  init(
    _ todo: Todo, _ document: Document, _ contents: ExportContents, _ settings: ExportSettings
  ) {
    let output = TaskwarriorOutput(todo, document, contents, settings)
    task = output.members
    let kept = ForeignExtra(of: document, format: .taskwarrior)
      .properties[TaskwarriorTask.openChildren]
    let names = kept.flatMap { try? JSON(parsing: Array($0.utf8)) }
    children = output.children(TaskwarriorIDs(document, names))
    series = ExportedSeries(document, in: contents)
    if contents.book != nil { addMarks(of: document, contents, settings) }
  }

  var lines: [String] { [task.text] + children.map(\.text) }

  /// Adds the marks, which are computed from the tasks as a reader finds them, because an import compares tasks in that
  /// form.
  private mutating func addMarks(
    of document: Document, _ contents: ExportContents, _ settings: ExportSettings
  ) {
    var reading = ForeignSettings()
    reading.localOffset = settings.localOffset
    let text = lines.joined(separator: "\n")
    guard let told = try? TaskwarriorReader.read(Array(text.utf8), reading).records.first else {
      return
    }
    task[TaskwarriorTask.mark] = .string(contents.mark(of: document, as: told, in: .taskwarrior))
    for occurrence in told.occurrences {
      guard let slot = occurrence.slot?.iso else { continue }
      let base = FieldDigests(occurrence.fields, of: .todo)
      for place in children.indices
      where children[place][TaskwarriorTask.Own.occurrence.rawValue]?.string == slot {
        children[place].setOwn(.occurrence, [slot, base.text])
      }
    }
  }

  /// Counts the data that Taskwarrior does not see.
  func count(_ written: inout ForeignText.Written) {
    guard let series, !series.state.isFinished, task["recur"] == nil else { return }
    written.loseForeignRule()
    written.lose(
      "detail of a closed occurrence", "details of closed occurrences", count: series.detailCount)
    written.lose(
      "detail of an open occurrence", "details of open occurrences", count: series.untoldCount)
  }
}
