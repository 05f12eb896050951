import Bytes
import Domain
import Phrasing
import ReadModel

/// A row of a view: what stands left of the rule, what right of it, and by what it is told apart from the others.
struct PageRow: KeyedRow {
  /// What stands in the margin.
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

  /// A list that is named with its colour.
  struct List: Equatable, Sendable {
    var id: UniqueID
    var title: String
    var colour: Int64?
  }

  /// The same in one view as long as it is the same thing.
  var rowID: String
  /// The record it is about, if it is about one.
  var id: UniqueID?
  var kind: String
  var title: String
  var when: When?
  var note: String?
  var isDone: Bool?
  var priority: Priority?
  var list: List?
  var colour: Int64?
  var isInConflict = false
  /// What only rows of its kind have.
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
        JSON.Member("done", isDone.map { .boolean($0) } ?? .null),
        JSON.Member("priority", .words(priority?.words)),
        JSON.Member("list", list?.json ?? .null),
        JSON.Member("colour", .words(colour?.colourWords)),
        JSON.Member("conflict", .boolean(isInConflict)),
      ] + (more.members ?? []))
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
