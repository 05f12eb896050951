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
  /// The exit code of the run if no error is thrown.
  var exit = ExitCode.done
  /// Whether missing events have already been reported at the start of a long-running command.
  var hasNotedLoss = false
  /// Whether the command has already reported that the viewed time is before the first event.
  private var hasNotedBeginning = false
  /// The reason for the command, in the user's words (`--because`).
  var reason: String?
  let opener: BookOpener
  let viewed: ViewedTime
  /// The user's settings, read on first use.
  private(set) lazy var preferences = Preferences.read(in: environment) { output.note($0) }

  init(_ environment: CommandEnvironment, _ invocation: Invocation, host: CommandHost) {
    self.host = host
    self.environment = environment
    self.invocation = invocation
    output = Output(environment, invocation.globals)
    let progress = ProgressDisplay(
      environment: environment, isQuiet: invocation.globals.isQuiet,
      isVerbose: invocation.globals.isVerbose,
      isMuted: invocation.command?.traits.contains(.hidesProgress) ?? false)
    opener = BookOpener(
      environment, directory: invocation.globals.directory,
      noticesOthers: invocation.kind != .short, progress: progress, output: output)
    viewed = ViewedTime(environment.machine.timekeeper, words: invocation.moment)
  }

  var machine: Machine { environment.machine }
  /// The day on which the command began.
  var today: CivilDate? { viewed.today }
  /// A parser for field values, relative to the day on which the command began.
  var reader: FieldReader { viewed.reader }

  /// Opens the book, and fails if there is none.
  func book() throws(DaybookError) -> Book { try opener.book() }

  /// Performs a request and records its reason.
  func perform(_ request: Request, in book: Book) throws(DaybookError) -> Performed {
    try book.commands.perform(request, because: reason)
  }
}

// MARK: Snapshots

extension CommandContext {
  /// Returns the state that the command reads: the present state, or the state at the time after `at`.
  func snapshot() throws -> Snapshot {
    let book = try book()
    guard let moment = try viewed.milliseconds() else {
      return Snapshot(book: book, model: try book.view())
    }
    var snapshot = Snapshot(book: book, model: try book.view(at: moment))
    snapshot.day = try viewed.day()
    try noteBeginning(snapshot, at: moment)
    return snapshot
  }

  /// Tells the user if the time that is viewed is in the future, and how many events are dated after it.
  func noteFutureView() {
    let now = machine.timekeeper.now()
    guard let words = viewed.words, let moment = (try? viewed.milliseconds()) ?? nil else { return }
    noteFuture(words, Moment(milliseconds: moment), asOf: now)
  }

  /// Tells the user if the end of what is shown is in the future, and how many events are dated after it.
  ///
  /// A time in the future is valid, because a device with a wrong clock may have dated events after the present. But
  /// more events may still be written before that time. The time at which the command began may also be the end, as in
  /// `at now`.
  func noteFuture(_ words: String, _ moment: Moment, asOf now: Moment) {
    guard moment >= now else { return }
    let later =
      (try? book().historyReader.countOfEvents(after: moment.milliseconds)) ?? 0
    let those =
      "\(later.counted("event")) that \(later == 1 ? "is" : "are") dated after \(words.visible)"
    if moment > machine.timekeeper.now() {
      output.note(
        "\(futureClause(words, moment, asOf: now)), so this shows what has been written until now"
          + "\(later == 0 ? "" : ", except \(those)")."
      )
    } else if later > 0 {
      output.note("\(those) \(later == 1 ? "is" : "are") left out.")
    }
  }

  /// Tells the user if the beginning of a span is in the future.
  func noteFutureBeginning(_ words: String, _ moment: Moment) {
    let now = machine.timekeeper.now()
    guard moment > now else { return }
    output.note(
      "\(futureClause(words, moment, asOf: now)), "
        + "so this shows only events that are dated \(words.visible) or later.")
  }

  /// Returns the clause that a time is in the future; an instant, which has its own zone, is also given in local time.
  private func futureClause(_ words: String, _ moment: Moment, asOf now: Moment) -> String {
    let (then, present) = (
      machine.timekeeper.localText(of: moment.milliseconds),
      machine.timekeeper.localText(of: now.milliseconds)
    )
    let state = Instant.parse(words) == nil ? "is" : "is \(then), which is"
    return "\(words.visible) \(state) in the future: it is now \(present)"
  }

  /// Tells the user once that there were no records at the viewed time, and when the book began.
  private func noteBeginning(_ snapshot: Snapshot, at moment: Int64) throws {
    guard !hasNotedBeginning, try snapshot.model.documents.counts().allSatisfy({ $0.count == 0 })
    else { return }
    hasNotedBeginning = true
    let times = try snapshot.book.historyReader.deviceEvents().map(\.time)
    guard let first = times.min(), first > moment else { return }
    let timekeeper = machine.timekeeper
    let (then, beginning) = (timekeeper.localText(of: moment), timekeeper.localText(of: first))
    output.note(
      "there were no records at \(then); the book begins "
        + (then == beginning ? "later in the same minute." : "on \(beginning)."))
  }

  /// Returns the present state, even if the command line contains `at`.
  func presentSnapshot() throws -> Snapshot {
    let book = try book()
    return Snapshot(book: book, model: try book.view())
  }

  /// Finds the record that the user named, at the time of a snapshot.
  func find(
    _ words: String, kind: Kind? = nil, among: RecordFinder.Among = .live, on snapshot: Snapshot
  ) throws(DaybookError) -> Found {
    guard viewed.words != nil else {
      return try snapshot.book.finder.find(words, kind: kind, among: among)
    }
    return try snapshot.book.finder.find(words, kind: kind, among: among, in: snapshot.model)
  }

  /// Returns the key of the document that the user named, at the time that is viewed.
  func key(_ words: String, kind: Kind, _ snapshot: Snapshot) throws -> EventKey {
    let id = try find(words, kind: kind, on: snapshot).id
    return try snapshot.document(withID: id, called: words).key
  }

  /// Finds the record that the user named in the present state, optionally of one kind.
  ///
  /// - Throws: ``ConsoleError/wrongKind(_:expected:found:)`` if the named record has a different kind.
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

  /// Returns the live record that the words name; nil if they name none, or more than one.
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
