import Bytes
import Daybook
import Domain
import Interchange
import Phrasing

/// Describes the result of an import, or of its dry run.
struct ImportTale {
  let format: FileFormat
  let report: ImportReport
  /// The skipped records whose faults were kept.
  let skipped: [(place: ForeignPlace, fault: ForeignFault)]
  /// The contents of the file, if it was written by another program.
  let file: ForeignFile?
  let isTrial: Bool

  init(
    _ format: FileFormat, _ report: ImportReport, skipped: [(ForeignPlace, ForeignFault)],
    _ file: ForeignFile? = nil, isTrial: Bool
  ) {
    (self.format, self.report, self.file, self.isTrial) = (format, report, file, isTrial)
    self.skipped = skipped.map { (place: $0.0, fault: $0.1) }
  }

  /// The number of all skipped records.
  private var skippedCount: Int { skipped.count + moreSkipped }

  /// The number of skipped records whose faults were not kept.
  var moreSkipped: Int { report.moreSkipped + (file?.moreSkipped ?? 0) }

  /// The number of records or lines in the file.
  var count: Int {
    guard let file else { return report.lines }
    return file.records.count + file.skipped.count + file.moreSkipped
  }

  /// The contents that were ignored because daybook has no use for them, as phrases.
  var passedOver: [String] {
    var counts = file?.passedOver ?? [:]
    if report.passed > 0 { counts[.cardWithoutBirthday, default: 0] += report.passed }
    return ForeignMatter.allCases.compactMap { matter in counts[matter].map(matter.words) }
  }

  /// Whether something was skipped, the file lacks its end, or it has contents, none of which is or would be in the book.
  var isIncomplete: Bool { skippedCount > 0 || file?.cut != nil || isOfNothing }

  private var isOfNothing: Bool {
    let known =
      report.same + report.outdated + report.keptDeleted + report.unsettled + report.keptAsText
    if report.wasImported { return report.gone.isAll }
    let isIn = !report.done.isEmpty || known > 0
    let others =
      file?.passedOver.contains { ![.emptyRow, .rowBeforeHeader].contains($0.key) } ?? false
    return !isIn && (report.passed > 0 || others)
  }

  /// The number of values that could not be read and are kept, as a phrase.
  private var unread: String? {
    let count = (file?.remarks ?? []).count { $0.note.keepsText }
    return count == 0 ? nil : "\(count) \(count == 1 ? "value" : "values")"
  }

  /// The number of records in which only the text kept next to the fields has changed, as a phrase.
  private var otherText: String? {
    let count = report.keptAsText
    return count == 0 ? nil : "other data of \(count) \(count == 1 ? "record" : "records")"
  }

  /// The number of fields that keep the values of the book, as a phrase.
  private var unsettled: String? {
    let count = report.disputes.count { $0.dispute.key != nil }
    return count == 0 ? nil : "\(count) \(count == 1 ? "field" : "fields")"
  }

  /// The fields that keep the values of the book, with the places of their records.
  var disputes: [(place: ForeignPlace, dispute: FieldDispute)] {
    report.disputes.compactMap { line, dispute in
      (file?.records[line - 1].place).map { ($0, dispute) }
    }
  }

  private static let verbs: [(Operation.Verb, done: String, planned: String)] = [
    (.add, "added", "new"), (.edit, "edited", "changed"), (.delete, "deleted", "to delete"),
    (.restore, "restored", "to restore"),
  ]

  /// The changes that were made, with their counts.
  var deeds: [String] {
    var parts = Self.verbs.compactMap { verb, word, _ in
      report.done[verb].map { "\(word) \($0)" }
    }
    if report.madeLists > 0 {
      parts.append("made \(report.madeLists) \(report.madeLists == 1 ? "list" : "lists")")
    }
    let restored = report.restoredLists
    if restored > 0 { parts.append("restored \(restored) \(restored == 1 ? "list" : "lists")") }
    if report.same > 0 { parts.append("\(report.same) unchanged") }
    if report.outdated > 0 {
      parts.append(
        "\(report.outdated) \(report.outdated == 1 ? "is" : "are") newer in the book")
    }
    if let otherText { parts.append("kept \(otherText) as text") }
    if let unsettled { parts.append("left \(unsettled) unchanged") }
    let deleted = report.keptDeleted
    if deleted > 0 { parts.append("\(deleted) \(deleted == 1 ? "stays" : "stay") deleted") }
    if let unread { parts.append("kept \(unread) as text") }
    if !skipped.isEmpty { parts.append("skipped \(skippedCount)") }
    return parts
  }

  /// The changes that would be made, such as `12 new, 3 changed, 40 same, 1 skipped (line 88: …)`.
  var plans: [String] {
    var parts = Self.verbs.compactMap { verb, _, word in report.done[verb].map { "\($0) \(word)" } }
    let made = report.madeLists
    if made > 0 { parts.append("\(made) new \(made == 1 ? "list" : "lists")") }
    let restored = report.restoredLists
    if restored > 0 { parts.append("\(restored) \(restored == 1 ? "list" : "lists") to restore") }
    if report.same > 0 { parts.append("\(report.same) same") }
    if report.outdated > 0 { parts.append("\(report.outdated) newer in the book") }
    if let otherText { parts.append("\(otherText) kept as text") }
    if let unsettled { parts.append("\(unsettled) left unchanged") }
    if report.keptDeleted > 0 { parts.append("\(report.keptDeleted) deleted in the book") }
    if let unread { parts.append("\(unread) kept as text") }
    guard let first = skipped.first else { return parts }
    let rest = skippedCount == 1 ? "" : ", …"
    parts.append("\(skippedCount) skipped (\(first.place.words): \(first.fault.text)\(rest))")
    return parts
  }

  /// Returns the first records that would be written, one per row, and the total number.
  func lines(atMost count: Int) -> (shown: [[String]], count: Int) {
    guard let file else { return ([], 0) }
    let shown = report.taken.prefix(count).map { line, verb in
      // A record refers to another record of the file by its uid.
      [verb == .add ? "new" : verb == .restore ? "restored" : "changed"]
        + file.records[line - 1].words { uid in file.records.first { $0.uid == uid }?.title }
    }
    return (shown, report.taken.count)
  }

  /// The format of the file, with the program that wrote it if that is known.
  var title: String {
    (file?.program).map { "\(format.title) from \($0)" } ?? format.title
  }

  /// The columns of a table, each with what it is read as: a field, text, or nothing.
  var columns: [[String]] {
    (file?.columns ?? []).map { column in
      let ways = [column.field, column.isKept ? "kept as text" : nil].compactMap(\.self)
      let what = ways.isEmpty ? "ignored" : ways.joined(separator: ", ")
      return ["column", column.name.visible, what]
    }
  }

  var json: JSON {
    func number(_ count: Int?) -> JSON { .integer(Int64(count ?? 0)) }
    let skipped = skipped.map { entry in
      JSON.object(("place", .string(entry.place.words)), ("reason", .string(entry.fault.text)))
    }
    let remarks = (file?.remarks ?? []).map { remark in
      JSON.object(("place", .string(remark.place.words)), ("note", .string(remark.note.text)))
    }
    let columns = (file?.columns ?? []).map { column in
      JSON.object(
        ("column", .string(column.name)), ("field", column.field.map { .string($0) } ?? .null))
    }
    let disputes = disputes.map { place, dispute in
      JSON.object(
        ("place", .string(place.words)), ("title", .string(dispute.title)),
        ("field", .string(dispute.fieldName)), ("reason", .string(dispute.reason.word)),
        ("book", dispute.ownWords.map { .string($0) } ?? .null),
        ("file", dispute.toldWords.map { .string($0) } ?? .null))
    }
    return .object(
      ("format", .string(format.rawValue)),
      ("program", (file?.program).map { .string($0) } ?? .null), ("columns", .array(columns)),
      ("dryRun", .boolean(isTrial)),
      ("known", .boolean(report.wasImported)), ("added", number(report.done[.add])),
      ("edited", number(report.done[.edit])), ("deleted", number(report.done[.delete])),
      ("restored", number(report.done[.restore])), ("madeLists", number(report.madeLists)),
      ("restoredLists", number(report.restoredLists)),
      ("same", number(report.same)), ("keptAsText", number(report.keptAsText)),
      ("outdated", number(report.outdated)), ("keptDeleted", number(report.keptDeleted)),
      ("unsettled", .array(disputes)), ("skipped", .array(skipped)),
      ("moreSkipped", number(moreSkipped)),
      ("notes", .array(remarks)), ("moreNotes", number(file?.moreRemarks)))
  }
}

extension ForeignRecord {
  fileprivate var title: String {
    let fields =
      kind == .birthday ? [Field.Birthday.firstName, Field.Birthday.lastName] : [Field.Todo.title]
    return fields.compactMap(text).joined(separator: " ")
  }

  /// Returns a description of the record: its kind, its title and its distinctive fields.
  fileprivate func words(_ title: (String) -> String?) -> [String] {
    let more: [String?] =
      switch kind {
      case .birthday: [date(Field.Birthday.birthdate)]
      case .todo:
        [
          parent(Field.Todo.list, title), due.map { "due " + $0 }, priority,
          value(Field.Todo.done)?.boolean == true ? "done" : nil,
        ]
      case .choice:
        [
          parent(Field.owner, title),
          value(Field.Choice.weight)?.integer.map { "weight \($0)" },
        ]
      default: []
      }
    return [
      Schema.schema(of: kind)?.name ?? "", self.title.visible,
      more.compactMap(\.self).joined(separator: ", ").visible,
    ]
  }

  /// Returns the title of the parent.
  private func parent(_ field: Field, _ title: (String) -> String?) -> String? {
    switch fields[field] {
    case .list(let name): name
    case .record(let uid): title(uid)
    default: nil
    }
  }

  /// The due date; for a repeating to-do, the due date of its first open date.
  private var due: String? {
    SeriesState(told: self)?.current?.due.iso ?? date(Field.Todo.due)
  }

  /// The priority, unless it is normal.
  private var priority: String? {
    value(Field.Todo.priority)?.integer.flatMap(Priority.init).flatMap {
      $0 == .normal ? nil : "\($0.words) priority"
    }
  }

  private func value(_ field: Field) -> Value? {
    if case .value(let value)? = fields[field] { value } else { nil }
  }

  private func text(_ field: Field) -> String? {
    value(field)?.text
  }

  private func date(_ field: Field) -> String? {
    value(field)?.date?.iso
  }
}

/// Reports the result of an import.
struct ImportPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// The maximum number of lines of each kind.
  private static let mostLines = 20

  func tell(_ tale: ImportTale) {
    if tale.isIncomplete { context.exit = .refused }
    if output.isJSON { return output.answer(tale.json) }
    var skipped = ImportReasons()
    for (place, fault) in tale.skipped { skipped.add(place, fault.reason, fault.text) }
    note(
      skipped.sentences(one: " skipped", many: "skipped"), ("was skipped", "were skipped"),
      tale.moreSkipped)
    if tale.report.wasImported {
      if let cut = tale.file?.cut {
        output.note("\(cut.place.words): \(cut.note.text).", isLoss: true)
      }
      tell(tale.disputes)
      if tale.isTrial, !output.isQuiet { output.answer(Table.lines(tale.columns)) }
      return output.say(
        "Nothing to import: this file has already been imported\(tale.report.gone.words).")
    }
    var remarks = ImportReasons()
    for remark in tale.file?.remarks ?? [] {
      remarks.add(remark.place, remark.note.reason, remark.note.text)
    }
    note(
      remarks.sentences(one: "", many: "times"), ("note", "notes"), tale.file?.moreRemarks ?? 0)
    tell(tale.disputes)
    if tale.isTrial { return tellPlan(of: tale) }
    let count = tale.count
    let what = tale.deeds.isEmpty ? "nothing" : tale.deeds.joined(separator: ", ")
    let isWritten = !tale.report.done.isEmpty || tale.report.keptAsText > 0
    let advice = isWritten ? " To undo this import, run 'daybook undo'." : ""
    if tale.file == nil {
      output.say("Read \(count) \(count == 1 ? "line" : "lines"): \(what).\(advice)")
    } else {
      let records = "\(count) \(count == 1 ? "record" : "records")"
      output.say("Read \(records) as \(tale.title): \(what).\(advice)")
    }
    if !tale.passedOver.isEmpty {
      output.say("Ignored \(tale.passedOver.joined(separator: ", ")).")
    }
  }

  /// Reports the fields that keep the values of the book, and what to do about them.
  private func tell(_ disputes: [(place: ForeignPlace, dispute: FieldDispute)]) {
    guard !disputes.isEmpty else { return }
    var reasons = ImportReasons()
    for (place, dispute) in disputes {
      reasons.add(place, "\(dispute.reason.word) \(dispute.fieldName)", dispute.text)
    }
    note(
      reasons.sentences(one: "", many: "times"),
      ("field stays unchanged", "fields stay unchanged"), 0)
    let count = disputes.count { $0.dispute.reason.isChoice }
    guard count > 0 else { return }
    let isOne = count == 1
    output.say(
      "The book keeps its values. Change \(isOne ? "that field" : "those fields") by hand, or use --file-wins to use the values in the file."
    )
  }

  private func tellPlan(of tale: ImportTale) {
    let (lines, count) = tale.lines(atMost: Self.mostLines)
    let isQuiet = output.isQuiet
    if !isQuiet { output.answer(Table.lines(lines)) }
    if count > lines.count { output.say("… and \(count - lines.count) more.") }
    if !isQuiet { output.answer(Table.lines(tale.columns)) }
    let plans = tale.plans.isEmpty ? "nothing to do" : tale.plans.joined(separator: ", ")
    output.say("Read as \(tale.title): \(plans). Nothing was written.")
    if !tale.passedOver.isEmpty {
      output.say("\(tale.passedOver.joined(separator: ", ")) would be ignored.")
    }
  }

  /// Reports sentences that each describe one or more records, and the number of other records.
  private func note(
    _ sentences: [(text: String, count: Int)], _ rest: (one: String, many: String), _ more: Int
  ) {
    for sentence in sentences.prefix(Self.mostLines) { output.note(sentence.text, isLoss: true) }
    let count = sentences.dropFirst(Self.mostLines).reduce(more) { $0 + $1.count }
    if count > 0 {
      output.note("\(count) more \(count == 1 ? rest.one : rest.many).", isLoss: true)
    }
  }
}

extension ImportReport.Gone {
  /// The end of the message about a file that has already been imported.
  fileprivate var words: String {
    var parts: [String] = []
    if deletedRecords > 0 {
      let verb = deletedRecords == 1 ? "has" : "have"
      parts.append("\(deletedRecords) of its records \(verb) been deleted")
    }
    if erasedEvents > 0 {
      let verb = erasedEvents == 1 ? "has" : "have"
      parts.append("\(erasedEvents) of its events \(verb) been erased")
    }
    return parts.isEmpty ? "" : ", and \(parts.joined(separator: " and ")) since"
  }
}
