import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// Adds a record from a line of text.
struct AddDeed {
  let site: PageSite

  /// Reads a line while the user is typing it.
  func read(_ text: String, as kind: String, keeping kept: [String]) throws -> JSON {
    try line(text, as: kind, keeping: kept).json
  }

  private func line(
    _ text: String, as kind: String, keeping kept: [String]
  ) throws -> QuickLine {
    // The page calls this method after every few letters, and most lines do not name a list.
    let lists = text.contains("@") ? try site.page(at: nil).lists : []
    let timekeeper = site.book.machine.timekeeper
    return QuickLine(
      text, as: kind, today: timekeeper.today, now: timekeeper.localMinute(of: timekeeper.now()),
      lists: lists.compactMap { list in list.name.map { .init(id: list.head.id, name: $0) } },
      kept: Set(kept))
  }

  /// Adds a record.
  func add(_ wish: Wish) throws -> Done {
    let text = try wish.text("text")
    let kind = try wish.text("kind")
    let line =
      wish.flag("plain")
      ? QuickLine(plain: text, as: kind)
      : try self.line(text, as: kind, keeping: try wish.texts("kept"))
    if let fault = line.fault { throw WordsFault.said(fault) }
    let hasNamesake =
      try line.kind == "list" && site.page(at: nil).lists.contains { $0.name == line.rest }
    let performed = try site.book.commands.perform(try request(line, wish))
    let document = performed.changes.last { $0.document.kind.name == line.kind }?.document
    let title = (document?.title ?? line.rest).asTitle
    let said =
      try "Added \(title)\(place(of: line, wish))\(rule(of: document))."
      + words(onMissing: line.missingLists)
    return Done(
      said: hasNamesake ? said + " Another list has the same name." : said, id: document?.id)
  }

  /// Returns the words that name the parent of a new sub-task, or that say that a new to-do is on no list.
  ///
  /// The Today view might not show a to-do that is on no list.
  private func place(of line: QuickLine, _ wish: Wish) throws -> String {
    if line.kind == "todo", let parent = try parent(wish) {
      return ", part of \(try site.book.present(parent).title.asTitle)"
    }
    let isListed = line.list != nil || wish.textOrNil("list") != nil
    let isDated = line.date != nil || line.rule != nil
    return line.kind == "todo" && !isDated && !isListed ? ", on no list" : ""
  }

  /// Returns the to-do that becomes the new to-do's parent.
  private func parent(_ wish: Wish) throws -> UniqueID? {
    wish.textOrNil("under") == nil ? nil : try wish.id("under")
  }

  /// Returns how a new to-do repeats, and its first date.
  private func rule(of document: Document?) -> String {
    guard let series = document.flatMap(Series.init) else { return "" }
    let words = series.rule.words(from: series.anchor, until: series.until)
    let first = series.due.nearWords(in: site.book.machine.timekeeper.today?.year)
    return ", \(words), first \(first)"
  }

  private func words(onMissing lists: [String]) -> String {
    lists.map { " No list is called “\($0.visible)”, so “@\($0.visible)” stays in the title." }
      .joined()
  }

  private func request(_ line: QuickLine, _ wish: Wish) throws -> Request {
    let reader = FieldReader(site.book.machine.timekeeper)
    switch line.kind {
    case "todo":
      // The form on a list names that list, but a list that the user names in the line takes precedence.
      let list = line.list ?? wish.textOrNil("list").flatMap { UniqueID(uuid: $0) }
      let priority = try (line.priority ?? wish.textOrNil("priority")).map {
        try reader.priority($0).rawValue
      }
      return .addTodo(
        title: line.rest, list: list.map { .existing($0) } ?? .none, priority: priority,
        due: line.date, tags: line.tags, start: line.start, parent: try parent(wish),
        others: try others(line, reader))
    case "birthday":
      if let date = line.date { try reader.checkBirth(date) }
      let (first, last) = PersonName.parts(of: line.rest)
      return .addBirthday(firstName: first, lastName: last, birthdate: line.date)
    case "list":
      let colour = try wish.textOrNil("colour").map { try reader.colour($0) }
      return .addList(name: line.rest, colour: colour)
    case "question": return .addQuestion(content: line.rest, choices: [])
    case "choice":
      let (name, weight) = Self.weighted(line.rest)
      let said = wish.textOrNil("weight") == nil ? weight : try wish.number("weight")
      return .addChoice(question: try wish.id("question"), name: name, weight: said)
    default: throw PageFault.badMember("kind")
    }
  }

  /// Returns the time at which a to-do is due, and how it repeats.
  private func others(
    _ line: QuickLine, _ reader: FieldReader
  ) throws(WordsFault) -> [Request.Assignment] {
    let time = line.minute.map { minute in
      [Request.Assignment(Field.Todo.dueTime, .value(.integer(Int64(minute))))]
    }
    guard let rule = line.rule else { return time ?? [] }
    return try reader.assignments(rule.phrase, rule.words, due: line.date) + (time ?? [])
  }

  /// Splits `Noodles:3` into a name and a weight.
  ///
  /// The text after the last colon is the weight if it is a non-negative integer, the name is not empty, and the colon
  /// is not part of a time such as `12:30`. Otherwise, the whole text is the name. Unlike the command line, this method
  /// does not refuse an invalid weight.
  private static func weighted(_ words: String) -> (name: String, weight: Int64?) {
    let read = WeightedName(words)
    guard !read.name.isEmpty, let weight = read.weight.flatMap({ Int64($0) }), weight >= 0 else {
      return (words, nil)
    }
    return (read.name.trimmed, weight)
  }
}
