package import Bytes
package import Domain
internal import SQLite

package struct TodoRow: Equatable, Sendable {
  package let head: RowHead
  package let title: String?
  /// The shown member, id and name of the list; nil if no list is shown.
  package let list: EventKey?
  package let listID: UniqueID?
  package let listName: String?
  package let isDone: Bool
  package let completedAt: Int64?
  package let priority: Int64
  package let createdAt: Int64?
  package let due: CivilDate?
  package let position: Int64?
  package let isClosed: Bool
  package let isCancelled: Bool
  package let closedOn: CivilDate?
  /// The time by which closed to-dos are sorted, in milliseconds; 0 for an open to-do.
  package let closedAt: Int64
  /// The minute of the day at which the to-do is due, in `zone`.
  package let dueTime: Int64?
  package let zone: String?
  package let start: CivilDate?
  package let remind: [String]
  /// The parent to-do, as written, which need not be the shown member of its document.
  package let parent: EventKey?
  /// The id of the parent to-do as shown; nil if it has never been folded.
  package let parentID: UniqueID?
  /// The canonical text of the to-do's rule; nil unless the to-do is a series.
  package let rule: String?
  /// The last day for which the rule may yield a slot.
  package let until: CivilDate?
  /// The slot of the occurrence that the to-do shows or is; nil for a finished series and for a to-do that does not
  /// repeat.
  package let slot: CivilDate?
  /// The due date of the series itself, from which its slots are counted.
  package let firstDue: CivilDate?
  /// The to-do that an occurrence belongs to, and its id.
  package let series: EventKey?
  package let seriesID: UniqueID?
}

/// The numbers of to-dos.
package struct TodoTotals: Equatable, Sendable {
  /// The number of to-dos that are neither closed nor hidden.
  package let open: Int64
  /// The number of open to-dos that begin on a later day.
  package let hidden: Int64
  /// The number of to-dos in `open` that have no due date.
  package let undated: Int64
  package let done: Int64
  package let cancelled: Int64

  package init(open: Int64, hidden: Int64, undated: Int64, done: Int64, cancelled: Int64 = 0) {
    (self.open, self.hidden, self.undated) = (open, hidden, undated)
    (self.done, self.cancelled) = (done, cancelled)
  }

  package var all: Int64 { open + hidden + done + cancelled }
}

package enum TodoOrder: Sendable {
  /// Highest priority first, then earliest due date and time, then oldest.
  case priority
  /// Earliest due date first; within a day, earliest time first and to-dos without a time last; then highest priority,
  /// then oldest.
  case due
  /// Oldest first; to-dos without a creation time before all others.
  case creation
  case title
  /// As the user arranged them; to-dos without a position last, oldest first.
  case position
  /// Open to-dos by priority, then closed to-dos, most recently closed first.
  ///
  /// A completed to-do is dated by its completion; a cancelled to-do is dated by noon of the day on which it was
  /// cancelled. If that time is unknown, a to-do is dated by the time at which it was added.
  case openFirst

  // Events of one command have the same time. Their sequence numbers yield the same order on every device.
  private static let byAge = ["dated_creation", "creation_order", "added_at", "sequence", "id"]
  private static let byDueDate = ["undated", "due_order", "time_order"]

  /// Whether the index of urgency can sort to-dos of one priority in this order.
  var isByUrgency: Bool {
    switch self {
    case .priority, .due: true
    case .creation, .title, .position, .openFirst: false
    }
  }

  // Each order begins like an index; see ``TodoTable``.
  var terms: [String] {
    switch self {
    case .priority: ["urgency"] + Self.byDueDate + Self.byAge
    case .due: Self.byDueDate + ["urgency"] + Self.byAge
    case .creation: Self.byAge
    case .title:
      ["title_start", "coalesce(title_order, title_folded)", "coalesce(title, '')"] + Self.byAge
    case .position: ["unplaced", "position_order"] + Self.byAge
    case .openFirst: ["closed", "recency", "urgency"] + Self.byDueDate + Self.byAge
    }
  }
}

extension TodoRow {
  /// The columns of a to-do that follow the columns of the head.
  static let ownColumns =
    """
    title, done, completed_at, priority, created_at, due_number, position, closed, cancelled,
    closed_on, due_time, zone, start_number, remind, closed_at, repeat, until, slot, first_due,
    parent_log, parent_sequence, series_log, series_sequence, list_log, list_sequence
    """

  // The columns of the keys of other records.
  static let parentColumn = RowHead.count + 19
  static let seriesColumn = parentColumn + 2
  static let listColumn = seriesColumn + 2

  /// Reads a row, given the records that it names.
  init(
    _ row: borrowing Statement, on shown: ShownList?, parentID: UniqueID?, seriesID: UniqueID?
  ) {
    head = RowHead(row)
    let start = RowHead.count
    title = row.textOrNil(start)
    (list, listID, listName) = (shown?.key, shown?.id, shown?.name)
    isDone = row.boolean(start + 1)
    completedAt = row.integerOrNil(start + 2)
    priority = row.integer(start + 3)
    createdAt = row.integerOrNil(start + 4)
    due = row.date(start + 5)
    position = row.integerOrNil(start + 6)
    isClosed = row.boolean(start + 7)
    isCancelled = row.boolean(start + 8)
    closedOn = row.date(start + 9)
    dueTime = row.integerOrNil(start + 10)
    zone = row.textOrNil(start + 11)
    self.start = row.date(start + 12)
    remind = row.texts(start + 13)
    closedAt = row.integer(start + 14)
    rule = row.textOrNil(start + 15)
    until = row.date(start + 16)
    slot = row.date(start + 17)
    firstDue = row.date(start + 18)
    parent = row.keyOrNil(Self.parentColumn)
    series = row.keyOrNil(Self.seriesColumn)
    (self.parentID, self.seriesID) = (parentID, seriesID)
  }
}

extension TodoRow {
  package var state: TodoState { isDone ? .done : isCancelled ? .cancelled : .open }

  /// Whether the to-do is hidden on the given day, as ``TodoFilter/Hidden`` defines it.
  package func isHidden(on day: CivilDate) -> Bool {
    Todo.isHidden(start: start, due: due, on: day)
  }
}

/// Whether a to-do is open, or how it was closed.
package enum TodoState: Int64, Sendable {
  case open
  case done
  case cancelled
}

/// The list of a to-do, as shown.
struct ShownList {
  let key: EventKey
  let id: UniqueID?
  let name: String?
}
