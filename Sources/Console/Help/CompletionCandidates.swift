import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Answers a shell's request for completions.
extension Console {
  /// The first argument of a request for completions; the words of the command line follow it.
  static let completing = "__complete"

  /// Prints each candidate, followed by a tab and its meaning; errors are not reported.
  ///
  /// - Returns: ``ExitCode/refused`` if there are no candidates and a file name is not possible either.
  static func complete(_ words: [String], in environment: CommandEnvironment) -> ExitCode {
    var invocation = Invocation()
    let place = words.firstIndex(of: "-C") ?? words.firstIndex(of: "--directory")
    if let place, place + 1 < words.count { invocation.globals.directory = words[place + 1] }
    let context = CommandContext(environment, invocation, host: host)
    let (candidates, takesFile) = Completion.answer(for: words, by: CommandCatalog.all) {
      CompletionCandidates(context: context).candidates(for: $0)
    }
    context.output.answer(
      candidates.map { $0.meaning.isEmpty ? $0.word : "\($0.word)\t\($0.meaning)" })
    return candidates.isEmpty && !takesFile ? .refused : .done
  }
}

/// Finds candidates in the book.
struct CompletionCandidates {
  let context: CommandContext

  /// The maximum number of candidates; users do not read longer lists.
  private static let mostCandidates = 500

  fileprivate func candidates(for subject: Completion.Subject) -> [Completion.Candidate] {
    // If the book cannot be read, there are no candidates, because a completion cannot show an error.
    guard context.environment.knowsPlace(context.invocation.globals.directory),
      let snapshot = try? context.snapshot(),
      let found = try? candidates(for: subject, snapshot)
    else { return [] }
    return found.filter { !$0.word.isEmpty && $0.word == $0.word.visible }
  }

  private func candidates(
    for subject: Completion.Subject, _ snapshot: Snapshot
  ) throws -> [Completion.Candidate] {
    switch subject {
    case .records(let kind, let isClosed):
      return try records(kind, isClosed: isClosed, snapshot)
    case .deleted:
      return try named(try snapshot.model.titleSearch.deletedDocuments(kind: nil), snapshot)
    case .names(let kind):
      let found = try snapshot.model.rankedSearch.search(
        "", kind: kind, page: Page(count: Self.mostCandidates))
      return found.compactMap(\.title).map { Completion.Candidate(word: $0) }
    case .tags:
      let tags = try snapshot.model.todos.todos().flatMap(\.head.tags)
      return Set(tags).sorted().map { Completion.Candidate(word: $0) }
    case .devices:
      let devices = try snapshot.book.deviceList.devices()
      return Set(devices.flatMap { [$0.listedName, $0.logName] }).sorted().map {
        Completion.Candidate(word: $0)
      }
    case .peers:
      return try snapshot.book.contactBook.contacts().map { Completion.Candidate(word: $0.name) }
    }
  }

  /// Returns two candidates for each record: its short id, with the title as the meaning, and its title.
  private func records(
    _ kind: Kind?, isClosed: Bool?, _ snapshot: Snapshot
  ) throws -> [Completion.Candidate] {
    let page = Page(count: Self.mostCandidates)
    if let isClosed {
      let filter = TodoFilter(includesClosed: isClosed, includesOpen: !isClosed)
      let todos = try snapshot.model.todos.todos(filter, page: page)
      return try named(todos.map { ($0.head.id, $0.title) }, snapshot)
    }
    let found = try snapshot.model.rankedSearch.search("", kind: kind, page: page)
    return try named(found.map { ($0.id, $0.title) }, snapshot)
  }

  private func named(
    _ candidates: [Candidate], _ snapshot: Snapshot
  ) throws -> [Completion.Candidate] {
    let documents = try snapshot.documents(candidates.prefix(Self.mostCandidates).map(\.key))
      .filter { !$0.isOccurrence }
    return try named(documents.map { ($0.id, $0.title) }, snapshot)
  }

  private func named(
    _ rows: [(id: UniqueID, title: String?)], _ snapshot: Snapshot
  ) throws -> [Completion.Candidate] {
    let ids = try snapshot.shortIDs(rows.map(\.id))
    let titles = rows.compactMap(\.title)
    return rows.map {
      Completion.Candidate(word: ids[$0.id] ?? "", meaning: ($0.title ?? "").visible)
    }
      + titles.map { Completion.Candidate(word: $0) }
  }
}
