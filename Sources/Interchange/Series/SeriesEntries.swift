internal import Domain

/// The entries of repeating to-dos in a file with a line for each to-do.
///
/// Programs that do not support series mark such a line as done, and add a copy of it with the next date. All lines
/// with the same id are therefore one series, and the done lines are its occurrences.
struct SeriesEntries<Notation: RepeatNotation> {
  private struct Entry {
    /// The index of the record.
    let place: Int
    let words: SeriesWords
    /// The rule in the notation of the format.
    let text: String?
  }

  private let settings: ForeignSettings
  private var entries: [String: [Entry]] = [:]

  init(_ settings: ForeignSettings) { self.settings = settings }

  /// Reads how the to-do of an entry repeats: immediately if another program wrote the entry, and after all other
  /// entries if daybook wrote it.
  ///
  /// - Parameters:
  ///   - words: The words that daybook wrote.
  ///   - text: The rule in the notation of the format.
  ///   - record: The to-do.
  ///   - place: The index that the to-do gets in the file.
  /// - Returns: Whether the rule has an effect.
  mutating func take(
    _ words: SeriesWords, _ text: String?, of record: inout ForeignRecord, at place: Int
  ) -> Bool {
    guard words.isOfBook else { return Self.repeat(&record, by: text, words) }
    let entry = Entry(place: place, words: words, text: text)
    entries[record.uid, default: []].append(entry)
    return words.first != nil || !words.unread.isEmpty
  }

  /// Reads how the to-do of a single entry repeats.
  static func read(
    _ words: SeriesWords, _ text: String?, into record: inout ForeignRecord,
    _ settings: ForeignSettings
  ) {
    guard words.isOfBook else {
      _ = Self.repeat(&record, by: text, words)
      return
    }
    let entry = Entry(place: 0, words: words, text: text)
    var records = [record]
    // The entry that daybook has just written can be read.
    _ = try? SeriesEntries(settings).take(entry, [], &records)
    record = records[0]
  }

  private static func `repeat`(
    _ record: inout ForeignRecord, by text: String?, _ words: SeriesWords
  ) -> Bool {
    record.repeat { due in
      text == nil ? words.rule : Notation.rule(text, beside: words.rule, from: due)
    }
  }

  /// Reads the entries once all records of the file have been read.
  func finish(_ file: inout ForeignFile) {
    var joined: Set<Int> = []
    for (_, entries) in entries.sorted(by: { $0.key < $1.key }) {
      let main = entries.first { !file.records[$0.place].isClosed } ?? entries[entries.count - 1]
      let others = entries.filter { $0.place != main.place && file.records[$0.place].isClosed }
      do throws(ForeignFault) {
        if try take(main, others, &file.records) { joined.formUnion(others.map(\.place)) }
      } catch {
        // The dates and the state of the entry belong to a date of the series, which is unknown.
        file.records[main.place].unread.formUnion(Field.seriesFields)
        if case .unreadable(let field, let text) = error {
          file.remark(file.records[main.place].place, .unread(field: field, text))
        }
      }
    }
    guard !joined.isEmpty else { return }
    file.records = file.records.indices.filter { !joined.contains($0) }.map { file.records[$0] }
  }

  /// Turns the record of an entry into a series, with other entries as its occurrences; returns whether it is a series.
  private func take(
    _ main: Entry, _ others: [Entry], _ records: inout [ForeignRecord]
  ) throws(ForeignFault) -> Bool {
    if let (key, text) = main.words.unread.min(by: { $0.key.rawValue < $1.key.rawValue }) {
      throw .unreadable(field: key.rawValue, text)
    }
    guard let first = main.words.first else {
      main.words.takePart(into: &records[main.place], settings)
      return false
    }
    let start = records[main.place].date(Field.Todo.start)
    guard let rule = Notation.rule(main.text, beside: main.words.rule, from: first),
      let series = main.words.series(rule, start: start)
    else {
      guard let text = main.text, Notation.rule(text, from: first) == nil else { return false }
      throw .unreadable(field: SeriesWords.Key.rule.rawValue, text)
    }
    var told = main.words.told(series)
    let closed = others.map { (words: $0.words, record: records[$0.place]) }
      .sorted {
        ($0.record.date(Field.Todo.due) ?? first) < ($1.record.date(Field.Todo.due) ?? first)
      }
    if !closed.isEmpty { told.follow(closed, before: records[main.place], settings) }
    records[main.place].take(told, settings)
    return true
  }
}

extension ToldSeries {
  /// Adds the occurrences that another program has closed, and finds the slot of the entry that the program added for
  /// the next date.
  ///
  /// - Parameters:
  ///   - closed: The closed entries, with the words that daybook wrote in them.
  ///   - next: The added entry.
  ///   - settings: The settings for reading the file.
  fileprivate mutating func follow(
    _ closed: [(words: SeriesWords, record: ForeignRecord)], before next: ForeignRecord,
    _ settings: ForeignSettings
  ) {
    for (words, record) in closed {
      let due = record.date(Field.Todo.due)
      guard let slot = due.flatMap(slot(due:)) ?? words.told(series).slot,
        !isClosed(slot)
      else { continue }
      changed.append(record.closing(at: slot, settings))
    }
    let state = state
    slot = state.current?.slot
    // The date computed by the other program is used, even if daybook would pass over it.
    guard let due = next.date(Field.Todo.due), state.current?.due != due,
      let other = slot(due: due), !isClosed(other)
    else { return }
    slot = other
    if series.rule.basis != .done {
      changed.append(ForeignRecord(occurrence: StoredSlot(other, .open), at: next.place))
    }
  }

  private func isClosed(_ slot: CivilDate) -> Bool {
    stored.contains { $0.slot == slot && !$0.isOpen } || changed.contains { $0.slot == slot }
  }

  /// Returns the slot with the given due date; nil if the rule has no such slot.
  private func slot(due: CivilDate) -> CivilDate? {
    guard due.isComplete, let distance = series.due.days(since: series.anchor),
      let slot = due.adding(days: -distance), slot >= series.anchor,
      series.rule.basis == .done || series.dates.contains(slot)
    else { return nil }
    return slot
  }

  /// The state of the series with the changed occurrences.
  private var state: SeriesState {
    let known = stored.filter { one in !changed.contains { $0.slot == one.slot } }
    return SeriesState(series, told: known + changed.compactMap { StoredSlot($0) })
  }
}
