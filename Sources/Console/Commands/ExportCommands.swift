import Bytes
import Daybook
import Domain
import Interchange
import Phrasing
import Platform

enum ExportCommands {
  static let export = CommandSpec(
    "export", "Write the records of the book, or its history, to a file or to standard output.",
    traits: [.leavesBook, .passesOn],
    option(
      "format", "FORMAT",
      "One of \(FileFormat.written.map(\.rawValue).joined(separator: ", ")); "
        + "by default, the one that the file's name implies, or ops."),
    flag(
      "events",
      "Write the history as operations, instead of the current records; a note says how many events cannot be written in this form."
    ),
    flag(
      "uncounted",
      "Write this device's changes that do not count because their key was revoked or replaced; "
        + "the operations can be imported under the new key."
    ),
    options("kind", "KIND", "Only records of this kind, such as birthdays; may be repeated."),
    option("list", "NAME", "Only this list and its to-dos."),
    flag("open", "Omit to-dos that are done or cancelled."),
    flag("vcard3", "Write all cards in version 3.0, even those imported in version 4.0."),
    flag("vcard4", "Write all cards in version 4.0."),
    flag(
      "alarms",
      "Add alarms for birthdays to calendars, at nine in the morning on the days when 'remind' reminds you of them."
    ),
    option(
      "ages", "N",
      "Write the next N birthdays of each person to calendars, with the ages, instead of one yearly event. "
        + "If the year of birth is unknown, the yearly event is kept. "
        + "An import ignores the birthdays of single years."),
    flag(
      "raw", "Write exact values to tables, even values that a spreadsheet would treat as formulas."
    ),
    flag(
      "no-ids",
      "Omit the ids from todo.txt, and the ids and all other comments from Markdown; "
        + "importing the file then adds the to-dos again."
    ),
    option("output", "FILE", "The file to write; standard output by default.", letter: "o"),
    flag("force", "Replace an existing file."),
    examples: [
      "daybook export -o book.jsonl", "daybook export --format ics > birthdays.ics",
      "daybook export -o contacts.vcf", "daybook export --format csv --kind todos",
      "daybook export --list Home --format md",
      "daybook export --format ops --events",
    ]
  ) {
    context, format, isEvents, isUncounted, kinds, list, isOpenOnly, isThree, isFour, hasAlarms,
    ages, isRaw, omitsIDs, file, isForced
    in
    if isThree, isFour { throw UsageFault.contradiction("--vcard3", "--vcard4") }
    let named = try file.flatMap {
      $0 == "-" ? nil : try ExportWords.formatWritten(to: Path($0).name)
    }
    var wish = ExportWish(
      format: try format.map(ExportWords.format) ?? named ?? .operations,
      kinds: try ExportWords.kinds(kinds), now: context.machine.timekeeper.now().milliseconds)
    wish.settings.setZones(of: context.machine.timekeeper)
    wish.settings.leapRule = context.preferences.leapRule
    wish.settings.lead = context.preferences.lead
    wish.settings.version = isThree ? 3 : isFour ? 4 : nil
    wish.isOpenOnly = isOpenOnly
    (wish.settings.hasAlarms, wish.settings.isRaw) = (hasAlarms, isRaw)
    wish.settings.omitsIDs = omitsIDs
    wish.settings.ageYears = try ages.map(ExportWords.ageYears) ?? 0
    wish.list = list
    (wish.isEvents, wish.isUncounted) = (isEvents, isUncounted)
    (wish.file, wish.isForced) = (file == "-" ? nil : file, isForced)
    try ExportBook(context: context).run(wish)
  }
}

/// The export that the user wants.
private struct ExportWish {
  var format: FileFormat
  /// The kinds; nil for all.
  var kinds: Set<Kind>?
  /// The only list to export, as the user typed it.
  var list: String?
  var settings: ExportSettings
  var isOpenOnly = false
  var isEvents = false
  /// Whether to export only changes that have no effect on other devices.
  var isUncounted = false
  var file: String?
  var isForced = false

  /// The operations to export.
  func content(list: UniqueID?) -> Exporter.ExportContent {
    if isEvents { return .events }
    if isUncounted { return .uncounted }
    if isOpenOnly { return .open(list: list) }
    return list.map { .list($0) } ?? .state
  }

  init(format: FileFormat, kinds: Set<Kind>?, now: Int64) {
    (self.format, self.kinds) = (format, kinds)
    settings = ExportSettings(now: now)
  }
}

/// Writes the book, or part of it, to a file.
private struct ExportBook {
  let context: CommandContext
  private var output: Output { context.output }

  func run(_ wish: ExportWish) throws {
    if wish.isEvents, wish.list != nil { throw UsageFault.contradiction("--events", "--list") }
    if wish.isUncounted, wish.isEvents {
      throw UsageFault.contradiction("--uncounted", "--events")
    }
    if wish.isUncounted, wish.list != nil {
      throw UsageFault.contradiction("--uncounted", "--list")
    }
    for (name, isGiven) in [("--events", wish.isEvents), ("--uncounted", wish.isUncounted)]
    where isGiven && wish.isOpenOnly {
      throw UsageFault.contradiction(name, "--open")
    }
    let list = try wish.list.map { try context.book().finder.find($0, kind: .list).id }
    guard wish.format == .operations else {
      if wish.isEvents || wish.isUncounted {
        throw ConsoleError.badValue(
          wish.isEvents ? "--events" : "--uncounted", wish.format.rawValue,
          "Use --format ops.")
      }
      return try exportForeign(wish, list)
    }
    let export = try context.book().exporter.operationExport(wish.content(list: list))
    var operations = export.operations
    if let kinds = wish.kinds {
      operations.removeAll { !kinds.contains($0.kind) }
      noteNamed(by: operations, among: export.operations)
    }
    let text = operations.map { $0.line + "\n" }.joined()
    if let path = try write(Array(text.utf8), wish) {
      let count = operations.count
      output.say(
        "Wrote \(count) \(count == 1 ? "operation" : "operations") to \(path.string.visible).")
      answer(count, of: wish, in: path)
    }
    if export.leftOut > 0 {
      let events = export.leftOut == 1 ? "event" : "events"
      noteLeftOut("operations have", "\(export.leftOut) \(events)")
    }
    if export.parted > 0 {
      let (what, others) = export.parted == 1 ? ("record", "another") : ("records", "others")
      noteLeftOut("operations have", "\(export.parted) \(what) separated from \(others)")
    }
    if export.erasures > 0 {
      let (what, it) = export.erasures == 1 ? ("erasure", "record") : ("erasures", "records")
      noteLeftOut("operations have", "\(export.erasures) \(what)")
      output.note(
        "the next sync may bring back the \(it) that this device erased under a revoked key. "
          + "Once the device is admitted again, erase the \(it) again.", isLoss: true)
    }
    if let contents = export.contents {
      noteConflicts(of: contents, wish.kinds)
      if wish.kinds?.contains(.todo) ?? true {
        noteIgnoredParents(of: contents)
        noteAbsentParents(of: contents)
      }
    }
  }

  /// With `--json`, answers with the file, its format and the number of records or operations written.
  private func answer(_ count: Int, of wish: ExportWish, in path: Path) {
    guard output.isJSON else { return }
    output.answer(
      .object(
        ("file", .string(path.string)), ("format", .string(wish.format.rawValue)),
        ("written", .integer(Int64(count)))))
  }

  /// Reports the records that exported operations name but that are of other kinds, and thus not in the file.
  private func noteNamed(by exported: [Operation], among all: [Operation]) {
    let kindOfID = Dictionary(all.map { ($0.id, $0.kind) }) { first, _ in first }
    var named: [Kind: Set<String>] = [:]
    for operation in exported {
      for case .source(let id) in operation.assignments.map(\.content) {
        guard let kind = kindOfID[id], kind != operation.kind else { continue }
        named[kind, default: []].insert(id)
      }
    }
    let kinds = Set(exported.map(\.kind))
    for (kind, ids) in named.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where !kinds.contains(kind) {
      let plural = Schema.schema(of: kind)?.plural ?? ""
      output.note(
        "the file names \(ids.count.counted(kind.noun)) that \(ids.count == 1 ? "is" : "are") not in it, "
          + "so only a book that has \(ids.count == 1 ? "it" : "them") can import every line. "
          + "'--kind \(plural)' adds \(ids.count == 1 ? "it" : "them").")
    }
  }

  private func noteLeftOut(_ title: String, _ what: String) {
    output.note("\(title) no place for the following, so it was left out: \(what).", isLoss: true)
  }

  /// Reports the number of fields in conflict; only one value of each is exported.
  private func noteConflicts(of contents: ExportContents, _ kinds: Set<Kind>?) {
    let count = contents.conflictCount(of: kinds ?? Set(Schema.kinds.map(\.kind)))
    guard count > 0 else { return }
    let what = count == 1 ? "1 field is" : "\(count) fields are"
    let shown = count == 1 ? "the shown value is" : "the shown values are"
    output.note(
      "\(what) in conflict, and only \(shown) written; 'daybook conflicts' lists all values.",
      isLoss: true)
  }

  /// Reports the number of parents that were left out because two devices made to-dos sub-tasks of each other.
  private func noteIgnoredParents(of contents: ExportContents) {
    noteParents(
      contents.ignoredParentCount, because: "to-dos cannot be sub-tasks of each other")
  }

  /// Reports the number of parents that operations do not name because the parents are not exported.
  private func noteAbsentParents(of contents: ExportContents) {
    let count = contents.absentParentCount
    noteParents(
      count, because: count == 1 ? "it is not exported itself" : "they are not exported themselves")
  }

  private func noteParents(_ count: Int, because reason: String) {
    guard count > 0 else { return }
    let what = count == 1 ? "1 parent of a sub-task" : "\(count) parents of sub-tasks"
    output.note("\(what) \(count == 1 ? "was" : "were") left out, because \(reason).", isLoss: true)
  }

  private func exportForeign(_ wish: ExportWish, _ list: UniqueID?) throws {
    let all = Set(Schema.kinds.map(\.kind))
    let contents = try context.book().exporter.exportContents(
      of: wish.kinds ?? all, list: list, isOpenOnly: wish.isOpenOnly)
    let written: ForeignText.Written
    do throws(ForeignFault) { written = try wish.format.write(contents, wish.settings) } catch {
      throw ExportWords.notWritten(wish.format)
    }
    if let path = try write(written.bytes, wish) {
      let records = "\(written.count) \(written.count == 1 ? "record" : "records")"
      output.say("Wrote \(records) as \(wish.format.title) to \(path.string.visible).")
      answer(written.count, of: wish, in: path)
    }
    var lost = written.lost.map { "\($0.count) \($0.what)" }
    let empty = wish.format.namesListsByTodos ? contents.countOfEmptyLists : 0
    if empty > 0 {
      lost.append(empty == 1 ? "1 empty list" : "\(empty) empty lists")
    }
    noteConflicts(of: contents, wish.kinds)
    noteIgnoredParents(of: contents)
    guard !lost.isEmpty else { return }
    noteLeftOut("\(wish.format.title) has", lost.joined(separator: ", "))
  }

  /// Writes to a file, or to standard output if none is named.
  ///
  /// - Returns: The path of the file; nil for standard output.
  private func write(_ bytes: [UInt8], _ wish: ExportWish) throws -> Path? {
    guard let file = wish.file else {
      let text = String(decoding: bytes, as: UTF8.self)
      let streams = output.streams
      streams.write(streams.isOutputTerminal ? wish.format.visible(text) : text)
      return nil
    }
    let path = context.environment.path(file)
    try DestinationCheck(disk: context.machine.disk).check(path, isForced: wish.isForced)
    try context.machine.disk.replace(path, with: bytes)
    return path
  }
}

/// Parses the options of an export.
private enum ExportWords {
  /// The format that a file name implies; nil if it implies no format.
  ///
  /// - Throws: ``ConsoleError`` if daybook reads this format but does not write it.
  static func formatWritten(to name: String) throws(ConsoleError) -> FileFormat? {
    guard let format = FileFormat.byName(name) else { return nil }
    guard FileFormat.written.contains(format) else { throw notWritten(format) }
    return format
  }

  static func format(_ words: String) throws(ConsoleError) -> FileFormat {
    guard let format = FileFormat(named: words) else { throw unknown(words) }
    return format
  }

  static func notWritten(_ format: FileFormat) -> ConsoleError { unknown(format.rawValue) }

  private static func unknown(_ format: String) -> ConsoleError {
    let names = FileFormat.written.map(\.rawValue).joined(separator: ", ")
    return .badValue("the format", format, "Use one of \(names).")
  }

  static func kinds(_ words: [String]) throws(ConsoleError) -> Set<Kind>? {
    var kinds: Set<Kind> = []
    for word in words {
      guard let schema = Schema.schema(named: word.lowercased()) else {
        let names = Schema.kinds.map(\.plural).joined(separator: ", ")
        throw .badValue("the kind", word, "Use one of \(names).")
      }
      kinds.insert(schema.kind)
    }
    return kinds.isEmpty ? nil : kinds
  }

  static func ageYears(_ words: String) throws(ConsoleError) -> Int {
    guard let years = Int(words), (1...100).contains(years) else {
      throw .badValue("--ages", words, "Use a number of years from 1 to 100.")
    }
    return years
  }
}

extension ExportSettings {
  /// Sets the functions that return the offsets from UTC of local time and of time zones.
  fileprivate mutating func setZones(of timekeeper: any Timekeeper) {
    localOffset = { timekeeper.localOffsetSeconds(at: Moment(milliseconds: $0)) }
    zoneOffset = { name in
      guard let rules = timekeeper.zone(named: name) else { return nil }
      return { rules.offsetSeconds(at: Moment(milliseconds: $0)) }
    }
  }
}

extension ExportContents {
  /// The number of exported lists without an exported to-do.
  fileprivate var countOfEmptyLists: Int {
    let lists = Set(documents(.todo).compactMap { document(Field.Todo.list, of: $0)?.key })
    return documents(.list).count { !lists.contains($0.key) }
  }
}

extension FileFormat {
  /// Whether the format stores a list only as a property of its to-dos.
  fileprivate var namesListsByTodos: Bool {
    switch self {
    case .iCalendar, .todoTxt, .taskwarrior: true
    default: false
    }
  }

  /// Text in this format; characters that could harm a terminal are escaped.
  func visible(_ text: String) -> String {
    switch self {
    case .operations, .taskwarrior: text.visibleJSON
    default: text.visibleLines
    }
  }
}
