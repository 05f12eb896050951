import Daybook
import Phrasing
import Platform
import ReadModel

/// Opens the book of a command, either to read and write it, or for a dry run that discards all writes.
final class BookOpener {
  private let environment: CommandEnvironment
  /// The folder that the user named, if any.
  private let directory: String?
  /// Whether the command runs long enough for other processes to write in the meantime.
  private let noticesOthers: Bool
  private let progress: ProgressDisplay
  private let output: Output
  /// The book, if the command has opened one.
  private(set) var opened: Book?
  /// The machine of a dry run, which discards all writes; nil if this is not a dry run.
  private(set) var trial: Machine?

  init(
    _ environment: CommandEnvironment, directory: String?, noticesOthers: Bool,
    progress: ProgressDisplay, output: Output
  ) {
    (self.environment, self.directory, self.noticesOthers) = (environment, directory, noticesOthers)
    (self.progress, self.output) = (progress, output)
  }

  /// The folder of the book, whether or not the book exists.
  var folder: Path { environment.bookFolder(directory) }

  private var machine: Machine { trial ?? environment.machine }
  private var view: ReadModel.Place? { trial == nil ? environment.view : .memory }

  /// Opens the book, and fails if there is none.
  func book() throws(DaybookError) -> Book {
    if let opened { return opened }
    let book = try Book(at: folder, on: machine, view: view, witness: environment.witness)
    use(book)
    return book
  }

  /// Opens the book, and creates it if there is none.
  func bookForAdding() throws(DaybookError) -> Book {
    do throws(DaybookError) {
      return try book()
    } catch .noBook {
      let made = try BookFactory.create(
        at: folder, on: machine, deviceName: environment.hostName, view: view,
        witness: environment.witness)
      use(made)
      if trial == nil { output.note("Made a new book in \(folder.string.visible).") }
      return made
    }
  }

  /// Turns the command into a dry run, in which nothing is written.
  ///
  /// This method must be called before the book is opened.
  func beginTrial() {
    precondition(opened == nil, "a dry run begins before the book is opened")
    trial = environment.machine.onTrial
  }

  /// Makes an open book the book of this command, and reports its progress.
  func use(_ book: Book) {
    opened = book
    book.core.store.noticesOthers = noticesOthers
    progress.show(of: book)
  }
}
