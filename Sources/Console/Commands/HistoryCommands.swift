import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum HistoryCommands {
  static let all = [log, OriginCommands.why, OriginCommands.blame, DiffCommands.diff]

  private static let log = CommandSpec(
    "log", "Show the history, latest first, with the values that each event replaced.",
    reading: .past,
    traits: .isPaged,
    optionalText("ID"),
    option("field", "FIELD", "Only changes to this field."),
    option("by", "DEVICE", "Only events by the named device."),
    option(
      "since", "TIME", "Only events from this time on; a date stands for the start of that day."),
    option("until", "TIME", "Only events up to this time; a date stands for the end of that day."),
    flag("reverse", "Show the oldest events first."),
    option("limit", "N", "Show at most N events; the default is 100, or all with --all or --json."),
    flag("all", "Show all events, including the events that begin the logs of devices."),
    examples: [
      "daybook log", "daybook log ada --field birthdate",
      "daybook log --by phone --since 2026-01-01 --reverse", "daybook at 2026-01-31 log",
    ]
  ) { context, words, field, device, since, until, isReversed, limit, isWhole in
    var wish = HistoryWish(field: field, includesTaken: true)
    let snapshot = try context.snapshot()
    wish.id = try words.map { try context.find($0, among: .all, on: snapshot).id }
    try field.map { try ShowLog(context: context).requireField($0, of: wish.id) }
    wish.device = try device.map { try context.book().deviceList.device(called: $0) }
    wish.since = try since.map {
      try context.reader.pastInstant($0, wholeDay: .beginning).milliseconds
    }
    wish.until = try until.map { try context.reader.pastInstant($0, wholeDay: .end).milliseconds }
    if let until, let first = wish.since, let last = wish.until, last < first {
      throw ConsoleError.badValue("--until", until, "Use a time later than --since.")
    }
    if let since, let first = wish.since, first > context.machine.timekeeper.now().milliseconds {
      context.output.note(
        "--since \(since.visible) is \(context.machine.timekeeper.localText(of: first)), which is in the future. "
          + "For the past, use a form such as '3 days ago' or -3d.")
    }
    let asked = try limit.map { Int(clamping: try context.reader.number($0, "the limit", from: 0)) }
    // JSON has no default limit, because a program would not notice that events were omitted.
    wish.limit = asked ?? (isWhole || context.output.isJSON ? nil : ShowLog.shownEvents)
    try ShowLog(context: context).run(
      wish, of: words, on: snapshot, isReversed: isReversed, isWhole: isWhole,
      tellsRest: asked == nil)
  }
}

private struct ShowLog {
  let context: CommandContext
  private var output: Output { context.output }

  /// The number of events shown by default.
  static let shownEvents = 100

  func run(
    _ wish: HistoryWish, of words: String?, on snapshot: Snapshot, isReversed: Bool,
    isWhole: Bool, tellsRest: Bool
  ) throws {
    let (history, snapshot) = try snapshot.history(
      wish, at: context.viewed.milliseconds(), of: words)
    // The first event of a log is shown only on request, because the later events imply it.
    let others = try deviceEvents(wish, in: snapshot.book).filter {
      isWhole || $0.action != .began
    }
    var lines = LogLine.merged(history.entries, others)
    let earlier = history.earlier + max(0, lines.count - (wish.limit ?? lines.count))
    lines = Array(lines.prefix(wish.limit ?? lines.count))
    if isReversed { lines.reverse() }
    if output.isJSON { return output.answer(.array(try lines.map { try $0.json(snapshot) })) }
    let ids = try snapshot.shortIDs(lines.compactMap { $0.entry?.document?.id })
    var told: Set<EventKey> = []
    let rows = try lines.map { line in
      let entry: HistoryEntry
      switch line {
      case .device(let event):
        return [
          Cell(
            context.machine.timekeeper.text(of: event.time, isClockSuspect: false), .faint,
            giving: .never),
          Cell(event.eventName), Cell("", .faint), Cell(event.verbWords),
          Cell(event.subjectWords, giving: .title),
        ]
      case .record(let recorded): entry = recorded
      }
      let command = EventKey(log: entry.fact.key.log, sequence: entry.command)
      // Show the reason once for each command.
      let reason = told.insert(command).inserted ? entry.reason : nil
      let time = context.machine.timekeeper.text(
        of: entry.fact.effectiveTime, isClockSuspect: entry.isClockSuspect)
      return [
        Cell(time, .faint, giving: .never), Cell(entry.commandName),
        Cell(entry.document.flatMap { ids[$0.id] } ?? "", .faint, giving: .never),
        Cell(entry.verbWords),
        Cell(try snapshot.words(of: entry, because: reason), giving: .title),
      ]
    }
    output.answer(rows: rows)
    if context.viewed.words == nil {
      HeldErasurePresenter(context: context).tellHeld(try snapshot.book.held.heldErasures())
    }
    if tellsRest, earlier > 0 {
      output.note(
        "\(earlier.counted("earlier event")) \(earlier == 1 ? "is" : "are") not shown; --all shows \(earlier == 1 ? "it" : "them")."
      )
    }
  }

  /// The device events to show; none if a record, a field or a command is requested.
  private func deviceEvents(_ wish: HistoryWish, in book: Book) throws -> [DeviceEvent] {
    guard wish.id == nil, wish.field == nil, wish.command == nil else { return [] }
    let moment = try context.viewed.milliseconds() ?? .max
    let replicas = try wish.device.map(book.historyReader.replicas(of:))
    return try book.historyReader.deviceEvents().filter { event in
      event.time >= wish.since ?? .min && event.time <= min(wish.until ?? .max, moment)
        && (replicas?.contains(event.replica) ?? true)
    }
  }

  /// Throws unless the record's kind has a field with this name; if no record is named, any kind may have it.
  func requireField(_ name: String, of id: UniqueID?) throws {
    let kind = try id.flatMap { try context.book().finder.document(withID: $0)?.kind }
    let kinds = kind.flatMap(Schema.schema).map { [$0] } ?? Schema.kinds
    if kinds.contains(where: { $0.field(called: name) != nil }) { return }
    throw ConsoleError.unknownField(name, among: kinds)
  }
}

extension KindSchema {
  /// The field with this name, in JSON or as an option.
  func field(called name: String) -> FieldSchema? { field(named: name) ?? field(forOption: name) }
}

extension ConsoleError {
  /// Returns the error for a field that none of these kinds has.
  static func unknownField(_ name: String, among kinds: [KindSchema]) -> ConsoleError {
    var known: [String] = []
    for field in kinds.flatMap(\.fields) where !known.contains(field.optionName) {
      known.append(field.optionName)
    }
    let nearest = guess(Spelling.nearest(to: name, among: known)).trimmed
    return .badValue(
      "the field", name,
      nearest.isEmpty ? "Use one of: \(known.joined(separator: ", "))." : nearest)
  }
}

extension Snapshot {
  /// Returns the history up to a point in time, and this snapshot with the records loaded for that history.
  ///
  /// - Parameters:
  ///   - wish: The events.
  ///   - moment: The time; nil for the present.
  ///   - words: The words by which the user named the record, for the error if the record did not exist then.
  /// - Returns: The history and the snapshot.
  /// - Throws: ``DaybookError`` if the logs cannot be read, or if the record did not exist.
  func history(
    _ wish: HistoryWish, at moment: Int64?, of words: String? = nil
  ) throws -> (History, Snapshot) {
    var snapshot = self
    let history: History
    do throws(DaybookError) {
      history = try book.historyReader.history(wish, at: moment)
    } catch {
      guard case .unknown = error, let words else { throw error }
      throw DaybookError.unknown(words, kind: nil)
    }
    snapshot.loaded = history.documents
    return (history, snapshot)
  }
}
