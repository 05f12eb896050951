import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum AddCommands {
  static let all = [addBirthday, addTodo, addList, addQuestion, addChoice]

  private static let addBirthday = CommandSpec(
    "add birthday", "Add a birthday.", traits: .keepsReason, optionalText("NAME"),
    optionalText("DATE"),
    option("first-name", "NAME", "The first name, instead of NAME."),
    option("last-name", "NAME", "The last name, instead of NAME."),
    examples: [
      "daybook add birthday \"Ada Lovelace\" 1815-12-10",
      "daybook add birthday \"Grandma\" --12-24      # the year is not known",
      "daybook add birthday --last-name Curie 1867-11-07",
    ]
  ) { context, name, date, firstName, lastName in
    try AddBirthday(context: context).run(name, date, firstName, lastName)
  }

  private static let addTodo = CommandSpec(
    "add todo", "Add a to-do; the word 'todo' is optional.", traits: .keepsReason,
    title("TITLE"),
    option("list", "NAME", "The list, which is created if it does not exist.", letter: "l"),
    option("priority", "P", "The priority: low, normal or high.", letter: "p"),
    option(
      "due", "DATE",
      "When it is due, such as 2026-12-24, tomorrow, fri, +3d, 24 dec, eom or 'fri 17:00'; 'someday' adds the tag 'someday' instead.",
      letter: "d"),
    option("time", "TIME", "The time of day at which it is due, such as 17:00 or 5pm."),
    option(
      "due-zone", "ZONE",
      "The time zone of the due time, such as Europe/Berlin; by default, the local zone of each device."
    ),
    option(
      "remind", "LEADS",
      "When to remind you: how long before it is due, such as 1d,2h,0, or 'none'."),
    option(
      "start", "DATE",
      "Hide it until DATE, or until it is due; -3d and -2w count back from its due date."),
    option(
      "repeat", "RULE",
      "How it repeats, such as daily, 'every mon,thu', 'every 2 weeks', 'every! 3 days' or 'each 1st until 2027-06-30'."
    ),
    option("until", "DATE", "The last day on which it repeats."),
    options("tag", "T", "A tag, or several separated by commas; may be repeated.", letter: "t"),
    option("note", "TEXT", "A free-form note."),
    option(
      "under", "ID", "The parent to-do; without --list, the sub-task is put on its parent's list."
    ),
    examples: [
      "daybook add todo \"Buy Eggos\" --list Home --due 2026-12-24 --priority high",
      "daybook add todo \"Renew the passport\" --due 2027-03-01 --start -6w",
      "daybook add todo \"Call the plumber\" --due fri --tag home --note \"Ask for Mario\"",
      "daybook add todo \"Dentist\" --due \"mon 15:30\" --remind 1d,2h",
      "daybook add todo \"Get a photo\" --under passport",
      "daybook add todo \"Put out the bins\" --repeat \"every mon\" --until 2027-06-30",
      "daybook add Buy milk +food @home due:fri     # +food, @home and due:fri set fields",
      "daybook add Pay rent -l Home -d 1st -p high",
      "daybook add -- list of books                 # after --, everything is the title",
    ]
  ) {
    context, title, list, priority, due, time, zone, remind, start, rule, until, tags, note, parent
    in
    let when = DueOptions(
      due: due, time: time, zone: zone, remind: remind, start: start, rule: rule, until: until)
    try AddTodo(context: context).run(
      title, list, priority, when, context.reader.texts(tags), note, under: parent)
  }

  private static let addList = CommandSpec(
    "add list", "Add a list for to-dos.", traits: .keepsReason, text("NAME"),
    option(
      "colour", "#RRGGBB",
      "The colour of the list, such as #3366cc, #36c or teal; by default, one that the fewest lists have."
    ),
    examples: [
      "daybook add list Home --colour \"#3366cc\"", "daybook add list Work --colour teal",
    ]
  ) { context, name, colour in
    try AddList(context: context).run(name, try colour.map(context.reader.colour))
  }

  private static let addQuestion = CommandSpec(
    "add question", "Add a question and the choices to draw from.", traits: .keepsReason,
    text("TEXT"),
    texts("NAME:WEIGHT"),
    examples: [
      "daybook add question \"Lunch?\" Noodles:3 Salad:2 Toast:1",
      "daybook add question \"Stay?\" Yes No          # each weighs 1",
    ]
  ) { context, content, words in
    let choices = try words.map(context.reader.weightedChoice)
    let request = Request.addQuestion(content: content, choices: choices)
    let book = try context.opener.bookForAdding()
    let performed = try context.perform(request, in: book)
    try ChangePresenter(context: context).tell(performed)
    try SimilarRecordNote(output: context.output).tell(of: performed, in: book)
  }

  private static let addChoice = CommandSpec(
    "add choice", "Add a choice to a question.", traits: .keepsReason, text("QUESTION"),
    text("NAME[:WEIGHT]"),
    option("weight", "N", "How often to draw the choice, relative to the others; 1 by default."),
    examples: [
      "daybook add choice lunch Soup:2", "daybook add choice lunch Soup --weight 2",
      "daybook add choice when 12:30               # the name is 12:30; 12:30:2 adds the weight 2",
    ]
  ) { context, question, words, weight in
    var (name, weight) = (
      words, try weight.map { try context.reader.number($0, "the weight", from: 0) }
    )
    // If the text after the colon does not look like a number, the colon is part of the name.
    let isNumeric = WeightedName(words).weight?.allSatisfy {
      $0.isWholeNumber || "+-.,".contains($0)
    }
    if weight == nil, isNumeric == true {
      (name, weight) = try context.reader.weightedChoice(words)
    }
    let book = try context.book()
    let question = try book.finder.find(question, kind: .question).id
    let performed = try context.perform(
      .addChoice(question: question, name: name, weight: weight), in: book)
    try ChangePresenter(context: context).tell(performed)
    try SimilarRecordNote(output: context.output).tell(of: performed, in: book)
  }
}

private struct AddBirthday {
  let context: CommandContext

  func run(
    _ name: String?, _ date: String?, _ firstName: String?, _ lastName: String?
  ) throws {
    var (first, last, date) = (firstName, lastName, date)
    if firstName == nil, lastName == nil {
      guard let name else {
        throw ConsoleError.usage(
          .missingOperand("NAME", usage: "add birthday NAME [DATE]"))
      }
      (first, last) = PersonName.parts(of: name)
    } else {
      if let extra = date {
        throw ConsoleError.usage(
          .extraOperand(extra, usage: "add birthday --first-name NAME --last-name NAME [DATE]"))
      }
      date = name
    }
    // A file may contain birthdays without names, but a user who adds one without a name has made a mistake.
    guard [first, last].contains(where: { $0?.isSeen ?? false }) else {
      throw ConsoleError.birthdayWithoutName
    }
    let request = Request.addBirthday(
      firstName: first, lastName: last, birthdate: try date.map(context.reader.birthdate))
    let book = try context.opener.bookForAdding()
    let performed = try context.perform(request, in: book)
    try ChangePresenter(context: context).tell(performed)
    try SimilarRecordNote(output: context.output).tell(of: performed, in: book)
  }
}

/// Adds a to-do, and creates its list if no list has that name.
private struct AddTodo {
  let context: CommandContext

  func run(
    _ title: TitleWords, _ list: String?, _ priority: String?, _ when: DueOptions,
    _ tags: [String], _ note: String?, under parent: String?
  ) throws {
    let priority = try priority.map { try context.reader.priority($0).rawValue }
    var seen: Set<String> = []
    let tags = (when.isSomeday ? tags + ["someday"] : tags).filter { seen.insert($0).inserted }
    let whenFields = try when.assignments(context.reader)
    let book = try context.opener.bookForAdding()
    let named = try TitleLists(book: book).take(from: title)
    if list != nil, let word = named.word { throw UsageFault.contradiction("--list", word) }
    let choice =
      try list.map { try listChoice($0, in: book) } ?? named.list.map { .existing($0) } ?? .none
    let note = note.flatMap { $0.isEmpty ? nil : $0 }
    let parent = try parent.map { try context.find($0, kind: .todo).id }
    var near: String?
    if case .new(let name) = choice {
      near = NearestTitle(try book.view()).title(like: name, .list)
    }
    let performed = try context.perform(
      .addTodo(
        title: named.title.title, list: choice, priority: priority, due: nil, note: note,
        tags: tags, parent: parent, others: whenFields),
      in: book)
    try ChangePresenter(context: context).tell(performed)
    try SimilarRecordNote(output: context.output).tell(of: performed, in: book)
    if let todo = performed.changes.map(\.document).last(where: { $0.kind == .todo }) {
      let isDue = whenFields.dueDay != nil
      try TitleNotes(
        context: context, title: named.title, isDue: isDue, repeats: when.rule != nil
      ).tell(of: todo, in: book)
    }
    guard let near else { return }
    context.output.note(
      "there is a similar list, '\(near.visible)'; to undo the addition, run 'daybook undo'.")
  }

  /// The list with this name or id, or a new list with this name.
  private func listChoice(_ words: String, in book: Book) throws -> Request.ListChoice {
    let named = try book.view().lists.lists().filter { $0.name == words.trimmed }
    if named.count == 1 { return .existing(named[0].head.id) }
    if named.count > 1 {
      let ids = try book.finder.shortIDs(for: named.map(\.head.id))
      let found = named.map {
        Found(
          id: $0.head.id, kind: .list, title: $0.name ?? "", isAlive: true,
          shortID: ids[$0.head.id] ?? ShortID.text(of: $0.head.id))
      }
      throw DaybookError.ambiguous(words, found)
    }
    do throws(DaybookError) {
      let found = try book.finder.find(words, kind: .list)
      // Part of a title is enough to name an existing list, but must not prevent the creation of a new one.
      let isSame = found.title.lowercased() == words.trimmed.lowercased()
      let isID = ShortID.parse(words)?.contains(found.id) ?? false
      return isSame || isID ? .existing(found.id) : .new(name: words)
    } catch .unknown, .gone {
      return .new(name: words)
    } catch .ambiguous(_, let found)
      where !found.contains(where: { $0.title.lowercased() == words.trimmed.lowercased() })
    {
      return .new(name: words)
    } catch {
      throw error
    }
  }
}

/// Adds a list, even if another list has the same name.
///
/// Devices add lists independently, so names of lists cannot be unique; a note suggests merging the two.
private struct AddList {
  let context: CommandContext

  func run(_ name: String, _ colour: Int64?) throws {
    let book = try context.opener.bookForAdding()
    let performed = try context.perform(.addList(name: name, colour: colour), in: book)
    try ChangePresenter(context: context).tell(performed)
    try SimilarRecordNote(output: context.output).tell(of: performed, in: book)
  }
}

/// Points out a record that looks like the one just added, which may be a duplicate.
private struct SimilarRecordNote {
  let output: Output

  func tell(of performed: Performed, in book: Book) throws {
    // If the command also created the to-do's list, the name of the list has already been compared.
    let isTodo = performed.changes.contains { $0.document.kind == .todo }
    for added in performed.changes.map(\.document) where !isTodo || added.kind == .todo {
      if let other = try book.finder.namesake(of: added) {
        try tell(of: added, like: other, in: book)
      }
    }
  }

  private func tell(of added: Document, like other: UniqueID, in book: Book) throws {
    let both = [other, added.id]
    let ids = try book.finder.shortIDs(for: both)
    let words = both.map { ids[$0] ?? $0.uuid }
    output.note(
      "another \(added.kind.name) has this name. To merge the two, run 'daybook merge \(words.joined(separator: " "))'."
    )
  }
}

extension FieldReader {
  /// Parses `NAME:WEIGHT`; the weight is 1 by default.
  fileprivate func weightedChoice(
    _ words: String
  ) throws(WordsFault) -> (name: String, weight: Int64) {
    let read = WeightedName(words)
    guard let weight = read.weight else { return (words, 1) }
    let range = 0...Schema.Limit.weight
    return (read.name, try number(weight, "the weight in \(words.visible)", in: range))
  }
}
