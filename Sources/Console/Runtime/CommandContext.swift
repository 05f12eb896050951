import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// What a command works with: the book, the moment that is looked at, and the ways to answer.
final class CommandContext {
  let environment: CommandEnvironment
  let invocation: Invocation
  let output: Output
  let host: CommandHost
  /// How the run ends if nothing is thrown.
  var exit = ExitCode.done
  /// Whether missing events were reported when a long-running command started.
  var hasNotedLoss = false
  /// Why the command is given, in the user's words.
  var reason: String?
  /// The moment that is looked at, in the user's words, unless that is now.
  var moment: String?
  private var opened: Book?
  /// The machine of a dry run, which forgets what is done to it; nil where things are done.
  private(set) var trial: Machine?

  init(_ environment: CommandEnvironment, _ invocation: Invocation, host: CommandHost) {
    self.host = host
    self.environment = environment
    self.invocation = invocation
    output = Output(environment, invocation.globals)
    moment = invocation.moment
  }

  var machine: Machine { environment.machine }
  /// The day on which the command began; to ask the system for each row would cost more than the row.
  private(set) lazy var today: CivilDate? = machine.timekeeper.today
  /// The day that is looked from; nil where the moment cannot be read, which the reader of that moment reports.
  private(set) lazy var dayShown: CivilDate? = moment == nil ? today : try? viewDay()
  /// What the user has settled for all records; read when it is first asked for.
  private(set) lazy var preferences = Preferences.read(in: environment) { output.note($0) }
  /// Reads what people type for fields, from the day on which the command began.
  var reader: FieldReader { FieldReader(machine.timekeeper, today: today) }

  /// Where the book is or would be.
  var folder: Path { environment.bookFolder(invocation.globals.directory) }

  /// The book, which must be there.
  func book() throws(DaybookError) -> Book {
    if let opened { return opened }
    let book = try Book(
      at: folder, on: trial ?? machine, view: trial == nil ? environment.view : .memory,
      witness: environment.witness)
    use(book)
    return book
  }

  /// The book, made now if there is none.
  func bookForAdding() throws(DaybookError) -> Book {
    do throws(DaybookError) {
      return try book()
    } catch .noBook {
      let made = try BookFactory.create(
        at: folder, on: trial ?? machine, deviceName: environment.hostName,
        view: trial == nil ? environment.view : .memory, witness: environment.witness)
      use(made)
      if trial == nil { output.note("Made a new book in \(folder.string.visible).") }
      return made
    }
  }

  /// Makes this a dry run: from now on nothing is written.
  func beginTrial() {
    precondition(opened == nil, "what was opened before may write")
    trial = machine.onTrial
  }

  /// Takes a book that was opened in another way as the command's own.
  func use(_ book: Book) {
    opened = book
    book.core.store.noticesOthers = invocation.kind != .short
    showProgress(of: book)
    let streams = environment.streams
    guard streams.isErrorTerminal else { return }
    book.progress.onWaiting = { holder in
      let who = holder.map { "process \($0.visible)" } ?? "another process"
      streams.writeError("daybook: waiting for \(who), which is writing to the book …\n")
    }
  }

  /// Shows on a terminal how far long work is, and with `--verbose` how long it took.
  private func showProgress(of book: Book) {
    let (streams, globals) = (environment.streams, invocation.globals)
    let isShown = streams.isErrorTerminal && !environment.isDumb && !globals.isQuiet
    let isMuted = invocation.command?.traits.contains(.hidesProgress) ?? false
    guard isShown || globals.isVerbose, !isMuted else { return }
    let line = ProgressLine(
      machine.timekeeper, isShown: isShown, isTold: globals.isVerbose, write: streams.writeError)
    book.progress.onProgress = { line.show($0) }
  }

  /// The book, if the command has opened one.
  var openedBook: Book? { opened }

  /// Carries out a request, and keeps with it why.
  func perform(_ request: Request, in book: Book) throws(DaybookError) -> Performed {
    try book.commands.perform(request, because: reason)
  }
}

// MARK: What is looked at

extension CommandContext {
  /// What is to be read: the present, or the past that `at` names.
  func snapshot() throws -> Snapshot {
    let book = try book()
    guard let moment = try momentShown() else {
      return Snapshot(book: book, model: try book.view())
    }
    return Snapshot(book: book, model: try book.view(at: moment))
  }

  /// The present, whatever `at` names.
  func presentSnapshot() throws -> Snapshot {
    let book = try book()
    return Snapshot(book: book, model: try book.view())
  }

  /// The moment that is looked at; nil if that is now.
  func momentShown() throws -> Int64? {
    guard let moment else { return nil }
    return try reader.instant(moment).milliseconds
  }

  /// The day that is looked from: today, or the day that `at` names.
  func viewDay() throws -> CivilDate? {
    guard let moment = try momentShown() else { return today }
    return machine.timekeeper.localDay(of: Moment(milliseconds: moment))
  }

  /// The record that words name at the moment that a snapshot is of.
  func find(
    _ words: String, kind: Kind? = nil, among: RecordFinder.Among = .live, on snapshot: Snapshot
  ) throws(DaybookError) -> Found {
    guard moment != nil else {
      return try snapshot.book.finder.find(words, kind: kind, among: among)
    }
    return try snapshot.book.finder.find(words, kind: kind, among: among, in: snapshot.model)
  }

  /// The shown member of the document that words name, at the moment that is looked at.
  func key(_ words: String, kind: Kind, _ snapshot: Snapshot) throws -> EventKey {
    let id = try find(words, kind: kind, on: snapshot).id
    return try snapshot.document(withID: id, called: words).key
  }

  /// The record that words name now, which must be of a kind if one is given.
  ///
  /// - Throws: ``ConsoleError/wrongKind(_:expected:found:)`` where the words name a record of another kind.
  func find(_ words: String, kind: Kind?, among: RecordFinder.Among = .live) throws -> Found {
    let book = try book()
    do throws(DaybookError) {
      return try book.finder.find(words, kind: kind, among: among)
    } catch .unknown(let words, .some(let kind)) {
      guard let other = try ofAnyKind(words, in: book) else {
        throw DaybookError.unknown(words, kind: kind)
      }
      throw ConsoleError.wrongKind(words, expected: kind.noun, found: other.kind.noun)
    } catch {
      throw error
    }
  }

  /// The one live record that words name, if there is one.
  private func ofAnyKind(_ words: String, in book: Book) throws(DaybookError) -> Found? {
    do throws(DaybookError) {
      return try book.finder.find(words)
    } catch {
      switch error {
      case .unknown, .erased, .ambiguous, .gone, .hidden: return nil
      default: throw error
      }
    }
  }
}
