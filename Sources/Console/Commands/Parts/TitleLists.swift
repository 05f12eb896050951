import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Finds the list that a title names with `@`.
struct TitleLists {
  let book: Book

  /// A title, and the list that was named in it.
  struct Outcome {
    var title: TitleWords
    var list: UniqueID?
    /// The argument that named the list.
    var word: String?
  }

  /// Removes the argument that names an existing list from a title.
  ///
  /// - Throws: ``UsageFault/contradiction(_:_:)`` if two arguments name lists.
  func take(from title: TitleWords) throws -> Outcome {
    var found = Outcome(title: TitleWords(parts: []))
    for part in title.parts {
      guard let name = part.list, let list = try list(named: name) else {
        found.title.parts.append(part)
        continue
      }
      if let other = found.word { throw UsageFault.contradiction(other, part.words) }
      (found.list, found.word) = (list, part.words)
    }
    if found.title.parts.isEmpty { throw UsageFault.onlyTokens(title.parts.map(\.words)) }
    return found
  }

  /// Returns the list with exactly this name, or else the list whose name differs only in case.
  func list(named words: String) throws -> UniqueID? {
    let lists = try book.view().lists.lists()
    let same = lists.filter { $0.name?.lowercased() == words.lowercased() }
    let exact = same.filter { $0.name == words }
    let found = exact.isEmpty ? same : exact
    guard found.count > 1 else { return found.first?.head.id }
    let ids = try book.finder.shortIDs(for: found.map(\.head.id)).values.sorted()
    throw ConsoleError.badValue(
      "the list", "@\(words)",
      "\(found.count) lists have that name; choose one by its id, as in '-l \(ids[0])': "
        + "\(ids.joined(separator: ", ")).")
  }
}

/// Reports words that stayed in the title of an added to-do although they may have been meant for a field.
struct TitleNotes {
  let context: CommandContext
  let title: TitleWords
  /// Whether the to-do has a due date.
  let isDue: Bool
  /// Whether the command says how the to-do repeats.
  let repeats: Bool

  func tell(of todo: Document, in book: Book) throws {
    for part in title.parts {
      if let name = part.list {
        try tell(part, named: name, todo, book)
      } else if !part.isLiteral, part.words.hasPrefix("@"), title.parts.count > 1 {
        try tell(quoted: part, todo, book)
      }
    }
    try tellFields(of: todo)
  }

  /// Names the words that were probably meant for fields, and the command that moves the words to the fields.
  private func tellFields(of todo: Document) throws {
    let fields = TitleFields(title, today: context.today, isDue: isDue, repeats: repeats)
    guard !fields.words.isEmpty else { return }
    let id = try context.presentSnapshot().shortID(todo.id)
    let options = fields.options.map { " --\($0.name) \($0.value.quoted.visible)" }.joined()
    let named = fields.words.map { "'\($0.visible)'" }.joined(separator: " and ")
    let isOne = fields.words.count == 1
    let start =
      fields.ending.map { "the title ends in a \($0)." }
      ?? "\(named) \(isOne ? "stays" : "stay") in the title."
    context.output.note(
      "\(start) To set \(isOne ? "it" : "them"), run: "
        + "daybook edit \(id) --title \(fields.rest.quoted.visible)\(options)")
  }

  /// Notes that no list has the name after an `@`.
  private func tell(
    _ part: TitleWords.Part, named name: String, _ todo: Document, _ book: Book
  ) throws {
    let start = "'\(part.words.visible)' stays in the title, because no list has that name."
    guard let near = NearestTitle(try book.view()).title(like: name, .list) else {
      return context.output.note("\(start) '-l \(name.quoted.visible)' would make one.")
    }
    let command = try edit(todo, without: part, list: near)
    context.output.note("\(start) If you mean '\(near.visible)', run: \(command)")
  }

  /// Notes that an argument with a space stays in the title, although it names an existing list.
  private func tell(quoted part: TitleWords.Part, _ todo: Document, _ book: Book) throws {
    let name = String(part.words.dropFirst())
    guard
      try book.view().lists.lists().contains(where: { $0.name?.lowercased() == name.lowercased() })
    else { return }
    let command = try edit(todo, without: part, list: name)
    context.output.note(
      "'\(part.words.visible)' stays in the title, because it contains a space. To choose the list, run: \(command)"
    )
  }

  private func edit(
    _ todo: Document, without part: TitleWords.Part, list: String
  ) throws -> String {
    let rest = TitleWords(parts: title.parts.filter { $0 != part }).title
    let id = try context.presentSnapshot().shortID(todo.id)
    let title = rest.isEmpty ? "" : " --title \(rest.quoted.visible)"
    return "daybook edit \(id)\(title) --list \(list.quoted.visible)"
  }
}
