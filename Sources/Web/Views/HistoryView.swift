import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// Makes the leaf of the history, with the latest entry first.
struct HistoryView {
  let page: PageSnapshot

  /// Returns the entries around the time that is shown, and the number of records of each kind at that time.
  ///
  /// The current entry is the latest entry at that time. The view contains up to `before` entries before it, and up to
  /// `after` entries after it.
  func view(among all: EntryList, before: Int, after: Int) throws -> PageView {
    let number = page.entries.count
    var view = PageView(
      PageView.Head(
        margin: "\(number)", under: "of \(all.count)", title: "History",
        line: all.entry(number).map { longMomentWords(page.moment ?? $0.time) }
          ?? "Before the first entry"))
    let first = max(1, number - before)
    let last = min(all.count, number + after)
    let told = first <= last ? try tell(all, first...last, from: number) : []
    view.sections = .sections(of: told.map(\.row)) { row in
      daySection(of: row)
    }
    let current = told.first { $0.number == number }
    view.more = .object(
      ("n", .integer(Int64(number))), ("of", .integer(Int64(all.count))),
      (
        "instant",
        .words((all.entry(number)?.time ?? all.entry(1).map { $0.time - 1 }).map(Instant.exactText))
      ),
      ("valuetext", .string(current?.spoken ?? "before the first entry")),
      ("holds", .array(try holdings())))
    if all.count == 0 {
      view.empty = PageView.Empty(
        picture: "book", sentence: "No entries yet.",
        hint: "Your changes appear here, and you can undo them.")
    }
    return view
  }

  /// Returns the rows of the latest entries, for the Today leaf.
  func entryRows(last count: Int) throws -> [PageRow] {
    guard page.entries.count > 0 else { return [] }
    let range = max(1, page.entries.count - count + 1)...page.entries.count
    return try tell(page.entries, range, from: nil).map(\.row)
  }

  private struct ToldEntry {
    var number: Int
    var row: PageRow
    /// The text of the entry for a screen reader.
    var spoken: String
  }

  /// Returns the entries in a range of numbers, latest first.
  ///
  /// If there is a current entry, each row states whether its entry is earlier or later.
  private func tell(
    _ all: EntryList, _ range: ClosedRange<Int>, from current: Int?
  ) throws -> [ToldEntry] {
    // The titles of entries after the time that is shown come from the current state of the book.
    if let current, range.contains(current), current < range.upperBound {
      return try tell(all, current + 1...range.upperBound, from: current)
        + tell(all, range.lowerBound...current, from: current)
    }
    guard let first = all.entry(range.lowerBound) else { return [] }
    let isLater = range.lowerBound > current ?? .max
    // The commands of a run may have later times than the run's entry, so the wish extends to the next entry.
    let wish = HistoryWish(
      since: first.time, until: all.entry(range.upperBound + 1)?.time, includesTaken: true)
    let history = try page.book.historyReader.history(wish, at: isLater ? nil : page.moment)
    let past = isLater ? try page.book.view() : page.model
    let words = EntryWords(Snapshot(book: page.book, model: past, loaded: history.documents), page)
    var events: [Int: [HistoryEntry]] = [:]
    for entry in history.entries {
      if let number = all.number(of: entry.entry) { events[number, default: []].append(entry) }
    }
    return try range.reversed().compactMap { number in
      guard let entry = all.entry(number), let told = events[number], !told.isEmpty else {
        return nil
      }
      return try tell(entry, told, words, number: number, of: all.count, from: current)
    }
  }

  private func tell(
    _ entry: EntryList.Entry, _ events: [HistoryEntry], _ words: EntryWords, number: Int,
    of count: Int, from current: Int?
  ) throws -> ToldEntry {
    // The events are in order, latest first. A command begins with the event about its main record, except that a
    // to-do's list is added before the to-do. If a change to a to-do also changes one of its dates, the event about the
    // date follows.
    let todos = events.filter { $0.document?.kind == .todo }
    let main =
      todos.first { $0.document?.isOccurrence != true } ?? todos.first ?? events[events.count - 1]
    let isImport = main.undoer == nil && events.contains { $0.command != main.command }
    let (verb, title) = (isImport ? "Imported" : words.verb(main), try words.title(main))
    let others = events.count > 1 ? "and \(counted(events.count - 1, "more", "more"))" : ""
    let rest = [try words.rest(main), others].filter { !$0.isEmpty }.joined(separator: "; ")
    let reason = main.reason.map { "because \($0.visible)" } ?? ""
    var row = PageRow("entry", key: "\(entry.replica.hex):\(entry.first)", title)
    row.id = main.document?.isAlive == true ? main.document?.id : nil
    row.when = PageRow.When(
      // Only the history has headings for days.
      text: current == nil ? page.marginWords(entry.time) : page.clock(entry.time),
      date: page.book.machine.timekeeper.localDay(of: Moment(milliseconds: entry.time)))
    let place = current.map { number > $0 ? "later" : number == $0 ? "current" : "earlier" }
    row.more = .object(
      ("n", .integer(Int64(number))), ("instant", .string(Instant.exactText(entry.time))),
      ("verb", .string(verb)),
      (
        "rest",
        .string(
          [rest, reason, main.device.visible].filter { !$0.isEmpty }.joined(separator: " · "))
      ), ("place", .words(place)),
      ("undo", page.isNow ? .string("\(entry.replica.hex):\(entry.first)") : .null))
    let what = [verb, title, rest].filter { !$0.isEmpty }.joined(separator: " ")
    return ToldEntry(
      number: number, row: row,
      spoken: "\(longMomentWords(entry.time)), entry \(number) of \(count): \(what)")
  }

  private func daySection(of row: PageRow) -> SectionKey {
    guard let date = row.when?.date, let day = date.epochDay else { return SectionKey(rank: .max) }
    let words = [date.longWeekdayName, date.words(without: page.today.year)].compactMap(\.self)
    return SectionKey(
      rank: -Int64(day), title: words.joined(separator: ", "), tag: date.iso)
  }

  /// Returns a day and time with the weekday, such as `Wednesday 18 November, 14:30`.
  private func longMomentWords(_ time: Int64) -> String {
    let date = page.book.machine.timekeeper.localDay(of: Moment(milliseconds: time))
    let words = [date?.longWeekdayName, date?.words(without: page.today.year)].compactMap(\.self)
    return "\(words.joined(separator: " ")), \(page.clock(time))"
  }

  private func holdings() throws -> [JSON] {
    let counts = Dictionary(
      uniqueKeysWithValues: try page.model.documents.counts().map { ($0.kind, $0.count) })
    let rest = try page.model.todos.rest(of: .visible(on: page.today))
    let todos = counts[.todo] ?? 0
    let words: [(Int64, String, String)] = [
      (counts[.list] ?? 0, "list", "lists"), (todos, "to-do", "to-dos"),
      (Int64(rest.done), "done", "done"), (counts[.birthday] ?? 0, "birthday", "birthdays"),
      (counts[.question] ?? 0, "question", "questions"), (counts[.pick] ?? 0, "draw", "draws"),
    ]
    let cancelled: [(Int64, String, String)] =
      rest.cancelled > 0 ? [(Int64(rest.cancelled), "cancelled", "cancelled")] : []
    return (words + cancelled).map { count, one, many in
      .object(("count", .integer(count)), ("words", .string(count == 1 ? one : many)))
    }
  }
}

extension CivilDate {
  /// Returns the day and the month, and the year unless it is the given year.
  func words(without year: Int?) -> String { self.year == year ? dayWords : words }
}

extension Instant {
  /// Returns the text of an instant with three digits after the second, as URLs contain it.
  static func exactText(_ time: Int64) -> String {
    let text = text(time)
    return text.contains(".") ? text : text.dropLast() + ".000Z"
  }
}
