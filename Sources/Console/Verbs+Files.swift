import Bytes
import Daybook
import Domain
import Interchange
import Platform

extension Verb {
  static let files = [importFile, exportFile]

  private static let importFile = Verb(
    "import", "Take in a file; '-' is standard input. The same file twice changes nothing.",
    option("format", "ops", "The format; told from the content if not said."),
    text("FILE|-"), flag("no-uids", "Keep no source ids."),
    flag("strict", "Take all lines or none."),
    examples: ["daybook import operations.jsonl", "daybook import --format ops -"]
  ) { context, format, file, keepsNoUIDs, isStrict in
    try context.checkFormat(format)
    let source = try context.contents(of: file)
    if format == nil { try context.recognise(source, file) }
    let book = try context.bookForAdding()
    let options = ImportOptions(keepsUIDs: !keepsNoUIDs, isStrict: isStrict)
    context.tell(try book.importOperations(source, options))
  }

  private static let exportFile = Verb(
    "export", "Write what the book shows, or all that happened, to a file.",
    option("format", "ops", "The format."),
    flag("events", "All that happened, not what is shown now."),
    option("output", "FILE", "Where to; standard output if not said.", letter: "o"),
    flag("force", "Replace a file that is there."),
    examples: ["daybook export --format ops -o book.jsonl", "daybook export --format ops --events"]
  ) { context, format, isEvents, file, isForced in
    try context.checkFormat(format)
    let operations = try context.book().exportOperations(isEvents ? .events : .state)
    let text = operations.map { $0.line + "\n" }.joined()
    guard let file, file != "-" else { return context.surroundings.write(text) }
    let path = context.surroundings.path(file)
    try context.checkPlace(path, isForced: isForced)
    try context.machine.disk.replace(path, with: Array(text.utf8))
    context.say("Wrote \(operations.count) operations to \(path.string.visible).")
  }
}

extension Context {
  /// Refuses to replace a file, unless that is meant or it may go, and what is no plain file in any case.
  func checkPlace(
    _ path: Path, isForced: Bool, or mayGo: () throws -> Bool = { false }
  ) throws {
    guard let status = try machine.disk.status(path) else { return }
    guard status.kind == .file else {
      throw ConsoleError.noPlainFile(path, isFolder: status.kind == .directory)
    }
    if isForced { return }
    guard try mayGo() else { throw ConsoleError.fileExists(path) }
  }

  private static let inputLimit = 1 << 30

  fileprivate func checkFormat(_ format: String?) throws(ConsoleError) {
    guard let format, format != "ops" else { return }
    throw .badValue("the format", format, "This version knows 'ops', a JSON object a line.")
  }

  /// Refuses what is of no known format; single bad lines are another matter.
  fileprivate func recognise(_ source: [UInt8], _ file: String) throws(ConsoleError) {
    let lines = source.split(separator: UInt8(ascii: "\n"))
    let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
    let starts = lines.compactMap { line in line.first { !blanks.contains($0) } }
    if starts.isEmpty || starts.contains(UInt8(ascii: "{")) { return }
    throw .unknownFormat(file)
  }

  fileprivate func contents(of file: String) throws -> [UInt8] {
    if file == "-" {
      guard let bytes = surroundings.readInput(Self.inputLimit) else {
        throw ConsoleError.inputTooLarge
      }
      return bytes
    }
    return try machine.disk.contents(of: surroundings.path(file), limit: Self.inputLimit)
  }

  fileprivate func tell(_ report: ImportReport) {
    for (line, fault) in report.skipped { note("line \(line) skipped: \(fault.text).") }
    if report.wasImported {
      return say("Nothing to import: this file was imported before.")
    }
    let verbs: [(Operation.Verb, String)] = [
      (.add, "added"), (.edit, "edited"), (.delete, "deleted"), (.restore, "restored"),
    ]
    var parts = verbs.compactMap { verb, word in
      report.done[verb].map { "\(word) \($0)" }
    }
    if report.same > 0 { parts.append("\(report.same) were like that already") }
    if !report.skipped.isEmpty { parts.append("skipped \(report.skipped.count)") }
    let what = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    let advice = report.done.isEmpty ? "" : " 'daybook undo' takes it all back."
    say("Read \(report.lines) \(report.lines == 1 ? "line" : "lines"): \(what).\(advice)")
  }
}
