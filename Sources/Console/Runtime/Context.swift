import Bytes
import Daybook
import Domain
import Phrasing
package import Platform
import ReadModel

/// What a verb works with: the book that is meant, and the ways to answer.
final class Context {
  let surroundings: Surroundings
  let invocation: Invocation
  /// How the run ends if nothing is thrown.
  var exit = ExitCode.done
  var hasNotedLoss = false
  /// Why the command is given, in the user's words.
  var reason: String?
  /// The moment that is looked at, in the user's words, unless that is now.
  var moment: String?
  private var opened: Book?
  /// The machine of a dry run, which forgets what is done to it; nil where things are done.
  private(set) var trial: Machine?

  init(_ surroundings: Surroundings, _ invocation: Invocation) {
    self.surroundings = surroundings
    self.invocation = invocation
    moment = invocation.moment
  }

  var machine: Machine { surroundings.machine }
  var isJSON: Bool { invocation.globals.isJSON }
  /// The day on which the command began; asking the system for each row would cost more than the row.
  private(set) lazy var today: CivilDate? = machine.timekeeper.today
  /// The day that is looked from; where it cannot be told, whoever reads the words says so.
  private(set) lazy var dayShown: CivilDate? = moment == nil ? today : try? viewDay()
  /// What the user has settled for all records; read when it is first asked for.
  private(set) lazy var preferences = readPreferences()
  /// For what goes to standard output.
  private(set) lazy var paint = Paint(
    invocation.globals.usesColour ?? surroundings.wantsColour, isTrue: surroundings.hasTrueColour)

  /// Where the book is or would be.
  var folder: Path { surroundings.bookFolder(invocation.globals.directory) }

  /// The book, which must be there.
  func book() throws(DaybookError) -> Book {
    if let opened { return opened }
    let book = try Book(
      at: folder, on: trial ?? machine, view: trial == nil ? surroundings.view : .memory,
      witness: surroundings.witness)
    use(book)
    return book
  }

  /// Does from now on as if, and writes nothing.
  func beginTrial() {
    precondition(opened == nil, "what was opened before may write")
    trial = machine.onTrial
  }

  /// The book, made now if there is none.
  func bookForAdding() throws(DaybookError) -> Book {
    do throws(DaybookError) {
      return try book()
    } catch .noBook {
      let made = try Book.create(
        at: folder, on: trial ?? machine, deviceName: surroundings.hostName,
        view: trial == nil ? surroundings.view : .memory, witness: surroundings.witness)
      use(made)
      if trial == nil { note("Made a new book in \(folder.string.visible).") }
      return made
    }
  }

  /// Remembers a book that was opened in another way.
  func use(_ book: Book) {
    opened = book
    // A command answers by what it finds when it begins; only who serves or watches stays.
    book.noticesOthers = ["serve", "watch list", "page"].contains(invocation.verb?.path)
    showProgress(of: book)
    guard surroundings.isErrorTerminal else { return }
    book.onWaiting = { [surroundings] holder in
      let who = holder.map { "process \($0.visible)" } ?? "another process"
      surroundings.writeError("daybook: waiting for \(who), which is writing to the book …\n")
    }
  }

  /// Shows how far long work is, where somebody looks on, and tells who wants it how long it took.
  private func showProgress(of book: Book) {
    let isShown =
      surroundings.isErrorTerminal && !surroundings.isDumb && !invocation.globals.isQuiet
    let isTold = invocation.globals.isVerbose
    guard isShown || isTold, !["serve", "page"].contains(invocation.verb?.path) else { return }
    let line = ProgressLine(
      machine.timekeeper, isShown: isShown, isTold: isTold, write: surroundings.writeError)
    book.onProgress = { line.show($0) }
  }

  /// What is missing from the book that was opened; nothing where none was, or it cannot tell.
  var openedLoss: (gaps: [Gap], lacksBeginning: Bool) {
    (try? opened?.knownLoss()) ?? ([], false)
  }

  /// Says that the disk fails, where it does though all that was asked for is done.
  func warnOfDisk() {
    guard opened?.isDiskFailing == true else { return }
    note(
      "this is safe, but the disk failed to keep what was written at first. Check the disk before "
        + "you write more.")
    exit = .cannotWrite
  }

  /// The error of a failed command; after a disk error it adds that events written before it are kept.
  func tellingWhatIsWritten(_ error: DaybookError) -> DaybookError {
    guard opened?.writtenCount ?? 0 > 0, error.diskFault != nil else { return error }
    switch error {
    case .storedBefore, .erasureLeft: return error
    default: return .storedBefore(.own, error)
    }
  }

  /// Finishes an interrupted erasure, and reports it if that fails again.
  func finishErasures(ifWritten isAfterWriting: Bool = false) {
    guard let opened, !isAfterWriting || opened.writtenCount > 0 else { return }
    do throws(DaybookError) {
      try opened.finishErasureLeft()
    } catch {
      note(error.told.text)
      exit = max(exit, .cannotWrite)
    }
  }

  /// What is to be read: the present, or the past that `at` names.
  func snapshot() throws -> Snapshot {
    let book = try book()
    guard let moment = try momentShown() else {
      return Snapshot(book: book, model: try book.view())
    }
    return Snapshot(book: book, model: try book.view(at: moment))
  }

  /// The record that words name at the moment that a snapshot is of.
  func find(
    _ words: String, kind: Kind? = nil, among: Book.Among = .live, on snapshot: Snapshot
  ) throws(DaybookError) -> Found {
    guard moment != nil else {
      return try snapshot.book.find(words, kind: kind, among: among)
    }
    return try snapshot.book.find(words, kind: kind, among: among, in: snapshot.model)
  }

  /// The moment that is looked at; nil if that is now.
  func momentShown() throws(ConsoleError) -> Int64? {
    guard let moment else { return nil }
    return try instant(moment).milliseconds
  }

  /// Carries out what is asked for, and keeps with it why.
  func perform(_ request: Request, in book: Book) throws(DaybookError) -> Performed {
    try book.perform(request, because: reason)
  }

  /// Tells what was done, unless that is not wanted.
  func say(_ sentence: String) {
    if !invocation.globals.isQuiet, !isJSON { surroundings.write(sentence + "\n") }
  }

  /// Answers what was asked.
  func answer(_ lines: [String]) {
    if !lines.isEmpty { surroundings.write(lines.joined(separator: "\n") + "\n") }
  }

  /// Answers with records: in columns for people, or each in a line with tabs between its fields.
  func answer(rows: [[Cell]]) { answer([Table(rows)]) }

  /// The same, of the parts of a table.
  func answer(_ parts: [Table]) {
    let layout =
      invocation.globals.isPlain
      ? Table.Layout.tabbed : .columns(fitting: surroundings.size?.columns, paint)
    for text in parts.texts(as: layout, beside: machine.beside) where !text.isEmpty {
      surroundings.write(text)
    }
  }

  func answer(_ json: JSON) { answer(json: json.text(indented: true)) }

  /// Answers with values, each on a line of its own, so that a program can read them as they come.
  func answer(lines: [JSON]) {
    if !lines.isEmpty { answer(json: lines.map { $0.text() }.joined(separator: "\n")) }
  }

  /// Programs get JSON as it is; on a terminal, what may harm it is escaped.
  private func answer(json: String) {
    surroundings.write((surroundings.isOutputTerminal ? json.visibleJSON : json) + "\n")
  }

  /// Writes a note to standard error; with --quiet, only if it reports a loss.
  func note(_ sentence: String, isLoss: Bool = false) {
    if isLoss || !invocation.globals.isQuiet { surroundings.writeError("daybook: \(sentence)\n") }
  }

  /// Whether somebody is there who can be asked, and may be.
  var isAnswering: Bool { surroundings.isInputTerminal && !invocation.globals.isSilent }

  /// Asks for a yes where somebody can give it.
  func confirms(_ question: String) -> Bool {
    guard isAnswering else { return false }
    surroundings.writeError("\(question) [y/N] ")
    return Self.isYes(surroundings.readAnswer() ?? "")
  }

  static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.lowercased()) }
}

extension Surroundings {
  /// What the environment says.
  subscript(variable: Variable) -> String? { environment[variable.rawValue] }

  /// Whether the terminal shows lines of text and no more.
  var isDumb: Bool { self[.terminal] == "dumb" }

  private func says(_ variable: Variable) -> Bool {
    self[variable].map { !$0.isEmpty && $0 != "0" } ?? false
  }

  /// Whether an error is to be told with all that is known of it.
  var wantsDetail: Bool { says(.debug) }

  /// Colours only for a terminal whose user has not declined them.
  var wantsColour: Bool {
    if self[.noColour].map({ !$0.isEmpty }) ?? false { return false }
    if says(.forcedColour) || says(.otherForcedColour) { return true }
    return isOutputTerminal && !isDumb
  }

  /// Whether the terminal shows any colour.
  var hasTrueColour: Bool {
    ["truecolor", "24bit"].contains(self[.colours])
  }

  /// The folder of the book: as told, as the environment tells, or where data belongs.
  func bookFolder(_ directory: String?) -> Path {
    if let directory { return path(directory) }
    if let named = self[.directory], !named.isEmpty { return path(named) }
    // The XDG specification says that relative paths are to be ignored.
    if let data = self[.dataHome], data.hasPrefix("/") {
      return Path(data) / "daybook" / "default"
    }
    return Path((home ?? workingDirectory.string) + "/.local/share/daybook/default")
  }

  /// Where the user's files are, as far as the environment tells.
  private var home: String? { self[.home].flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// Whether it is known where the book is; a book in whatever folder this is would be lost soon.
  func knowsPlace(_ directory: String?) -> Bool {
    let named = self[.directory].map { !$0.isEmpty } ?? false
    let hasData = self[.dataHome]?.hasPrefix("/") ?? false
    return directory != nil || named || hasData || home != nil
  }

  /// Where state belongs that is no data: the folder of the witness, for programs on a real machine.
  package var stateFolder: Path? {
    // The XDG specification says that relative paths are to be ignored.
    if let state = self[.stateHome], state.hasPrefix("/") {
      return Path(state) / "daybook"
    }
    return home.map { Path($0 + "/.local/state/daybook") }
  }

  /// Where the user's settings for all programs are, if that is known.
  var configurationFolder: Path? {
    if let folder = self[.configurationHome], folder.hasPrefix("/") { return Path(folder) }
    return home.map { Path($0 + "/.config") }
  }
}
