import Bytes
import Domain
import Phrasing
import ReadModel

/// The content of a leaf, which consists of a head, sections of rows, and members that only this view has.
struct PageView: Equatable, Sendable {
  struct Head: Equatable, Sendable {
    /// The large figure in the margin.
    var margin: String?
    /// The small text below the figure.
    var under: String?
    var title: String
    var line: String?
    /// The view to which the back link leads.
    var back: String?
    var colour: Int64?
  }

  /// The input line for adding a record.
  struct Adding: Equatable, Sendable {
    var placeholder: String
    var kinds: [String]
    var list: String?
    /// The to-do that becomes a new to-do's parent.
    var parent: UniqueID?
    /// Whether the user can choose the list of a to-do.
    var choosesList = false
  }

  /// The text and the picture of a view without rows.
  struct Empty: Equatable, Sendable {
    enum Deed: String, Sendable {
      case add
      case clear
    }

    var picture: String
    var sentence: String
    var hint: String?
    var button: (words: String, does: Deed)?

    static func == (left: Empty, right: Empty) -> Bool {
      left.picture == right.picture && left.sentence == right.sentence && left.hint == right.hint
        && left.button?.words == right.button?.words && left.button?.does == right.button?.does
    }
  }

  var head: Head
  var sections: [RowSection<PageRow>] = []
  var adding: Adding?
  var empty: Empty?
  /// The number of entries in the book at the time that is shown.
  var folio = 0
  /// The members that only this view has.
  var more = JSON.object([])

  init(_ head: Head) { self.head = head }

  /// Appends a section, unless it has no rows.
  mutating func add(_ key: String, _ title: String, rank: Int64, _ rows: [PageRow]) {
    guard !rows.isEmpty else { return }
    sections.append(RowSection(SectionKey(rank: rank, title: title, tag: key), rows))
  }

  /// The rows of all sections.
  var rows: [PageRow] { sections.flatMap(\.rows) }
}

extension PageView {
  /// All members except the sections.
  var rest: [JSON.Member] {
    [
      JSON.Member("head", head.json), JSON.Member("add", adding?.json ?? .null),
      JSON.Member("empty", empty?.json ?? .null),
      JSON.Member("folio", .integer(Int64(folio))),
    ] + (more.members ?? [])
  }

  var sectionsJSON: JSON {
    .array(
      sections.map { section in
        .object(
          ("key", .string(section.key.tag)), ("title", .string(section.key.title)),
          ("rows", .array(section.rows.map(\.json))))
      })
  }
}

extension PageView.Head {
  fileprivate var json: JSON {
    .object(
      ("margin", .words(margin)), ("under", .words(under)), ("title", .string(title)),
      ("line", .words(line)), ("back", .words(back)), ("colour", .words(colour?.colourWords)))
  }
}

extension PageView.Adding {
  fileprivate var json: JSON {
    .object(
      ("placeholder", .string(placeholder)), ("kinds", .array(kinds.map { .string($0) })),
      ("list", .words(list)), ("under", .words(parent?.uuid)), ("lists", .boolean(choosesList)))
  }
}

extension PageView.Empty {
  fileprivate var json: JSON {
    let button = button.map { button in
      JSON.object(("words", .string(button.words)), ("does", .string(button.does.rawValue)))
    }
    return .object(
      ("picture", .string(picture)), ("sentence", .string(sentence)), ("hint", .words(hint)),
      ("button", button ?? .null))
  }
}

extension ChangeSet<PageRow> {
  /// The steps in the form that the page's script reads.
  var json: JSON { .array(steps.compactMap(\.json)) }
}

extension ChangeSet<PageRow>.Step {
  fileprivate var json: JSON? {
    switch self {
    case .begin, .end: nil
    case .delete(let old, _): Self.step("delete", ("from", old.json))
    case .deleteSection(let old, _): Self.step("delete-section", ("from", .integer(Int64(old))))
    case .insertSection(let new, let key):
      Self.step(
        "insert-section", ("to", .integer(Int64(new))),
        (
          "section",
          .object(("key", .string(key.tag)), ("title", .string(key.title)))
        ))
    case .insert(let new, let row): Self.step("insert", ("to", new.json), ("row", row.json))
    case .move(let old, let new, let row, _):
      Self.step("move", ("from", old.json), ("to", new.json), ("row", row.json))
    case .update(let old, let new, let row):
      Self.step("update", ("from", old.json), ("to", new.json), ("row", row.json))
    }
  }

  private static func step(_ name: String, _ members: (String, JSON)...) -> JSON {
    .object([JSON.Member("op", .string(name))] + members.map { JSON.Member($0.0, $0.1) })
  }
}

extension RowPlace {
  fileprivate var json: JSON {
    .object(("section", .integer(Int64(section))), ("row", .integer(Int64(row))))
  }
}
