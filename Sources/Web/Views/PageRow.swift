import Bytes
import Domain
import Phrasing
import ReadModel

/// A row of a view, which consists of the text in the margin, the text beside it, and a key.
struct PageRow: KeyedRow {
  /// A date or time in the margin.
  struct When: Equatable, Sendable {
    enum Tone: String, Sendable {
      case late
      case today
      case soon
      case plain
      case done
    }

    var text: String
    var date: CivilDate?
    var tone = Tone.plain
  }

  /// How a to-do repeats.
  struct Repeats: Equatable, Sendable {
    /// The rule, such as `repeats every Mon`.
    var words: String
    /// The number of dates that were missed besides the current date; nil if there are none.
    var missed: String?
  }

  /// A to-do's list, which the row shows in the list's colour.
  struct List: Equatable, Sendable {
    var id: UniqueID
    var title: String
    var colour: Int64?
  }

  /// The key, which is unique in a view and stays the same when the content of the row changes.
  var rowID: String
  /// The record of the row, if there is one.
  var id: UniqueID?
  var kind: String
  var title: String
  var when: When?
  var note: String?
  /// Whether a to-do is done or cancelled.
  var isClosed: Bool?
  var isCancelled = false
  var priority: Priority?
  var list: List?
  var colour: Int64?
  var isInConflict = false
  /// How an open to-do repeats.
  var repeats: Repeats?
  /// Whether the record is one date of a repeating to-do, which cannot be deleted on its own.
  var isOccurrence = false
  /// The number of ancestors of a sub-task that are shown above it.
  var depth = 0
  /// The title in the row of a sub-task's parent.
  var parentTitle: String?
  /// The members that only rows of this kind have.
  var more = JSON.object([])

  init(_ kind: String, _ id: UniqueID, _ title: String) {
    (rowID, self.id, self.kind, self.title) = (id.uuid, id, kind, title)
  }

  init(_ kind: String, key: String, _ title: String) {
    (rowID, self.kind, self.title) = (key, kind, title)
  }
}

extension PageRow {
  var json: JSON {
    .object(
      [
        JSON.Member("key", .string(rowID)), JSON.Member("id", .words(id?.uuid)),
        JSON.Member("kind", .string(kind)), JSON.Member("title", .string(title)),
        JSON.Member("when", when?.json ?? .null), JSON.Member("note", .words(note)),
        JSON.Member("done", isClosed.map { .boolean($0) } ?? .null),
        JSON.Member("cancelled", .boolean(isCancelled)),
        JSON.Member("priority", .words(priority?.words)),
        JSON.Member("list", list?.json ?? .null),
        JSON.Member("colour", .words(colour?.colourWords)),
        JSON.Member("conflict", .boolean(isInConflict)),
      ] + nesting + repeating + (more.members ?? []))
  }
}

extension PageRow {
  /// The members that only sub-tasks below their parents have.
  private var nesting: [JSON.Member] {
    depth == 0
      ? []
      : [
        JSON.Member("depth", .integer(Int64(depth))),
        JSON.Member("parentTitle", .words(parentTitle)),
      ]
  }

  /// The members that only repeating to-dos have.
  private var repeating: [JSON.Member] {
    guard let repeats else { return [] }
    return [
      JSON.Member("repeats", .string(repeats.words)), JSON.Member("missed", .words(repeats.missed)),
    ]
  }
}

extension PageRow.When {
  fileprivate var json: JSON {
    .object(
      ("text", .string(text)), ("date", .words(date?.iso)), ("tone", .string(tone.rawValue)))
  }
}

extension PageRow.List {
  var json: JSON {
    .object(
      ("id", .string(id.uuid)), ("title", .string(title)), ("colour", .words(colour?.colourWords)))
  }
}
