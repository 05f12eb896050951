internal import Domain

/// What files contain about a repeating to-do.
struct ExportedSeries {
  let document: Document
  let state: SeriesState
  /// The stored slots, in order.
  let stored: [StoredSlot]
  /// The open occurrences with values of their own, by their slots.
  let moved: [CivilDate: Document]
  /// The stored document of each slot; the first one if there are several.
  private let documents: [CivilDate: Document]
  /// The number of closed occurrences whose own values no file contains.
  let detailCount: Int

  /// Creates the series of a to-do; nil if the to-do does not repeat, or repeats only as a sub-task.
  init?(_ document: Document, in contents: ExportContents) {
    guard let recurrence = contents.recurrence(of: document), !recurrence.isOfSubtask else {
      return nil
    }
    self.document = document
    state = recurrence.state
    let documents = Dictionary(
      contents.occurrences(of: document).map { ($0.key, $0) },
      uniquingKeysWith: { first, _ in first })
    var stored: [StoredSlot] = []
    var moved: [CivilDate: Document] = [:]
    var bySlot: [CivilDate: Document] = [:]
    var detailCount = 0
    for one in state.stored {
      let own = one.keys.compactMap { documents[$0] }
      let slot = StoredSlot(one, own, in: state.series)
      let detailed = own.first(where: \.hasOwnDetails)
      bySlot[one.slot] = detailed ?? own.first
      if slot.state != .open {
        detailCount += detailed == nil ? 0 : 1
      } else if let detailed {
        moved[one.slot] = detailed
      }
      stored.append(slot)
    }
    (self.stored, self.moved, self.detailCount) = (stored, moved, detailCount)
    self.documents = bySlot
  }

  /// Returns whether a file agrees with the stored data about a slot, except for the day and the time of closing.
  func isSame(_ record: ForeignRecord, at slot: CivilDate) -> Bool {
    let state: StoredSlot.State =
      record.isTrue(Field.Todo.done)
      ? .done : record.isTrue(Field.Todo.cancelled) ? .skipped : .open
    guard stored.first(where: { $0.slot == slot })?.state == state else { return false }
    let fields = [
      Field.Todo.title, .note, Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone,
      Field.Todo.start,
    ]
    return fields.allSatisfy { field in
      record.fields[field] ?? .value(.null) == .value(documents[slot]?.value(field) ?? .null)
    }
  }

  /// Returns the stored occurrence of a slot; nil if there is none, or if the series itself was closed.
  func document(of slot: CivilDate) -> Document? { documents[slot] }

  /// The current slot, if it has a due date of its own.
  var movedCurrent: StoredSlot? {
    guard let slot = state.current?.slot, let due = moved[slot]?.value(Field.Todo.due).date else {
      return nil
    }
    return StoredSlot(slot, .open, on: due)
  }

  /// The number of open occurrences whose values are lost in a file that contains only the current due date.
  var untoldCount: Int {
    moved.count { slot, document in
      let isCurrent = slot == state.current?.slot
      let hasTime = Field.dueFields.dropFirst().contains { field in
        document.value(Field.Todo.due) != .null
          && document.value(field) != self.document.value(field)
      }
      let others = [Field.Todo.title, .note, Field.Todo.start]
      return !isCurrent || hasTime || others.contains { document.value($0) != .null }
    }
  }

  /// The slots to list: the closed slots, and the open slots that do not follow from them.
  var listed: [StoredSlot] {
    stored.filter { one in
      one.state != .open || (moved[one.slot] == nil && state.next.map { one.slot < $0 } ?? true)
    }
  }
}

extension StoredSlot {
  /// Joins the data about a slot from several documents.
  fileprivate init(_ stored: SeriesState.Stored, _ documents: [Document], in series: Series) {
    let state: State =
      switch stored.closing {
      case .done: .done
      case .skipped: .skipped
      case nil: .open
      }
    self.init(stored.slot, state)
    guard state != .open else { return }
    let days = documents.compactMap { $0.value(Field.Todo.closedOn).date }
    day = documents.isEmpty ? series.closing?.day : days.max()
    if state == .done { completedAt = documents.compactMap { $0.completedAt }.max() }
  }
}

extension Document {
  /// The time at which an occurrence was completed.
  fileprivate var completedAt: Int64? {
    value(Field.Todo.done).boolean == true ? integer(Field.Todo.completedAt) : nil
  }

  /// Whether an occurrence differs from its series by more than its state.
  fileprivate var hasOwnDetails: Bool {
    [Field.Todo.title, .note, Field.Todo.due, Field.Todo.start].contains { value($0) != .null }
  }
}

extension Field {
  /// The due date, due time and time zone; an occurrence has its own values for all three or for none.
  static let dueFields = [Todo.due, Todo.dueTime, Todo.zone]

  /// The fields of the state of a to-do.
  static let stateFields = [Todo.done, Todo.cancelled, Todo.completedAt, Todo.closedOn]

  /// The fields that an entry cannot set unless daybook can read how its to-do repeats, because the dates and the state
  /// in the entry may be those of a single date.
  static let seriesFields = dueFields + stateFields + [Todo.start, Todo.repeat, Todo.until]
}

/// The part of the series that an entry shows.
extension ExportedSeries {
  /// The date that was closed last.
  var last: StoredSlot? {
    guard let slot = state.latestClosed?.slot else { return nil }
    return stored.first { $0.slot == slot }
  }

  /// The due date that users see: the due date of the current occurrence or, in a finished series, of the last
  /// occurrence.
  var due: CivilDate? {
    if let current = state.current { return current.due }
    return state.latestClosed.map { $0.due ?? state.series.due(of: $0.slot) }
  }

  /// The slot that an entry shows: the current slot or, in a finished series, the slot that was closed last.
  var shownSlot: CivilDate? { state.current?.slot ?? state.latestClosed?.slot }

  /// The start that belongs to the slot that an entry shows.
  var shownStart: CivilDate? {
    let series = state.series
    return shownSlot.flatMap(series.start(of:)) ?? series.start
  }

  /// The due date that an entry shows.
  var shownDue: CivilDate { due ?? state.series.due }
}
