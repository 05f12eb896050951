import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// The state of one command: the book, the time that is viewed, and the output.
final class CommandContext {
  let environment: CommandEnvironment
  let invocation: Invocation
  let output: Output
  let host: CommandHost
  /// How the run ends if nothing is thrown.
  var exit = ExitCode.done
  /// Whether missing events were reported when a long-running command started.
  var hasNotedLoss = false
  /// The reason for the command, in the user's words (`--because`).
  var reason: String?
  /// The time that is viewed, in the user's words; nil for the present.
  var moment: String?
  private var opened: Book?
  /// The machine of a dry run, which discards all writes; nil outside of a dry run.
  private(set) var trial: Machine?

  init(_ environment: CommandEnvironment, _ invocation: Invocation, host: CommandHost) {
    self.host = host
    self.environment = environment
    self.invocation = invocation
    output = Output(environment, invocation.globals)
    moment = invocation.moment
  }

  var machine: Machine { environment.machine }
  /// The day on which the command began.
  ///
  /// It is cached because asking the system once per row would cost more than the row itself.
  private(set) lazy var today: CivilDate? = machine.timekeeper.today
  /// The day from which records are viewed.
  ///
  /// It is nil if the user's words for the time cannot be parsed; ``momentShown()`` reports that error.
  private(set) lazy var dayShown: CivilDate? = moment == nil ? today : try? viewDay()
  /// The user's settings, read on first use.
  private(set) lazy var preferences = Preferences.read(in: environment) { output.note($0) }
  /// A parser for field values, relative to the day on which the command began.
  var reader: FieldReader { FieldReader(machine.timekeeper, today: today) }

  /// The folder of the book, whether or not the book exists.
  var folder: Path { environment.bookFolder(invocation.globals.directory) }

  /// Opens the book, and fails if there is none.
  func book() throws(DaybookError) -> Book {
    if let opened { return opened }
    let book = try Book(
      at: folder, on: trial ?? machine, view: trial == nil ? environment.view : .memory,
      witness: environment.witness)
    use(book)
    return book
  }

  /// Opens the book, and creates it if there is none.
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

  /// Makes this a dry run, in which nothing is written.
  ///
  /// It must be called before the book is opened.
  func beginTrial() {
    precondition(opened == nil, "what was opened before may write")
    trial = machine.onTrial
  }

  /// Makes an open book the book of this command, and reports its progress.
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

  /// Shows the progress of long work on a terminal and, with `--verbose`, how long the work took.
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

  /// Performs a request and records its reason.
  func perform(_ request: Request, in book: Book) throws(DaybookError) -> Performed {
    try book.commands.perform(request, because: reason)
  }
}

// MARK: What is looked at

extension CommandContext {
  /// The state that the command reads: the present, or the past that `at` names.
  func snapshot() throws -> Snapshot {
    let book = try book()
    guard let moment = try momentShown() else {
      return Snapshot(book: book, model: try book.view())
    }
    return Snapshot(book: book, model: try book.view(at: moment))
  }

  /// The present state, whatever `at` names.
  func presentSnapshot() throws -> Snapshot {
    let book = try book()
    return Snapshot(book: book, model: try book.view())
  }

  /// The time that is viewed, in milliseconds; nil for the present.
  func momentShown() throws -> Int64? {
    guard let moment else { return nil }
    return try reader.instant(moment).milliseconds
  }

  /// The day from which records are viewed: today, or the day that `at` names.
  func viewDay() throws -> CivilDate? {
    guard let moment = try momentShown() else { return today }
    return machine.timekeeper.localDay(of: Moment(milliseconds: moment))
  }

  /// Finds a record by the user's words, at the time of a snapshot.
  func find(
    _ words: String, kind: Kind? = nil, among: RecordFinder.Among = .live, on snapshot: Snapshot
  ) throws(DaybookError) -> Found {
    guard moment != nil else {
      return try snapshot.book.finder.find(words, kind: kind, among: among)
    }
    return try snapshot.book.finder.find(words, kind: kind, among: among, in: snapshot.model)
  }

  /// The key of the document that the user's words name, at the time that is viewed.
  func key(_ words: String, kind: Kind, _ snapshot: Snapshot) throws -> EventKey {
    let id = try find(words, kind: kind, on: snapshot).id
    return try snapshot.document(withID: id, called: words).key
  }

  /// Finds a record in the present by the user's words, optionally of one kind.
  ///
  /// - Throws: ``ConsoleError/wrongKind(_:expected:found:)`` if the words name a record of another kind.
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

  /// The live record that the words name; nil if they name none, or more than one.
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
