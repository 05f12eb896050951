package import Bytes
import Crypto
import Domain
package import Journaling
package import Platform
package import ReadModel
import Syncing

/// A book on this machine: its journal, and the records posted from it.
///
/// A book is used by one caller at a time; other processes may use the same folder meanwhile. Writing takes
/// the folder's lock for as long as it lasts, reading never waits.
public final class Book {
  package let layout: Layout
  package let machine: Machine
  package internal(set) var file: BookFile {
    didSet {
      // Another process may have given a device another quota.
      if file.quotas != oldValue.quotas { accounts = nil }
    }
  }
  package internal(set) var journal: Journal
  /// Where the read model is kept; in memory from the moment the disk refuses it.
  var place: ReadModel.Place
  /// The file of a read model that the disk has refused to go on with.
  var leftView: String?
  var model: ReadModel?
  /// What short ids are told by, while it is being read for the next who asks.
  var awaitedIDs: ReadAhead<[UniqueID]>?
  /// What the read model remembers, as it was at these positions.
  var memory: (posting: Posting, positions: [UniqueID: LogPosition])? {
    didSet {
      accounts = nil
      if let memory { numbering = memory.posting.causality.logs }
    }
  }
  /// The numbers by which the read model last told logs apart.
  var numbering: [Causality.LogIdentity] = []
  /// What each device has written by what is posted, with what has come since.
  var accounts: QuotaAccounts?
  /// How many bytes of memory a fold may take; beyond that it is done in portions.
  var memoryLimit: UInt64
  /// Whether the book is about to take the id of the one it syncs with.
  var isJoining = false
  /// The lock, while a sync is taking something in.
  var syncLock: HeldLock?
  /// What this device last showed of itself.
  var knownIdentity: TLSIdentity?
  /// What binds the own log to its key, once it was looked up.
  var knownIncarnation: (log: UniqueID, incarnation: UniqueID)?
  /// Told once, who writes meanwhile, when this waits for the lock for a while.
  package var onWaiting: ((String?) -> Void)?
  /// Told from time to time how far some work is, and with nil that it is over.
  package var onProgress: ((Progress?) -> Void)?
  /// Where the ends of the own logs are remembered outside of the book, if anywhere.
  var witness: Path?
  /// What stands for this machine, once it was looked up.
  private var knownMark: UniqueID?
  /// Whether the logs are looked at again each time that something is asked, since others may have written.
  ///
  /// Whoever asks for one answer needs no more than one look; writing looks in any case.
  package var noticesOthers = true
  /// What this process has just written, until it is posted.
  var freshCommand: FreshCommand?
  /// How often this process has appended events for a command.
  package internal(set) var writtenCount = 0
  /// Problems of saving peers that are not reported yet.
  var unnoted: [SyncProblem] = []
  /// Why erased bytes are still in files; until they are removed, nothing is sent.
  var erasureFailure: DiskError?
  /// Whether this process has the lock, so that nobody else writes.
  var isLocked = false
  /// Whether, while this process has the lock, all that lies in the logs' folders is known to be on the disk.
  var isSettled = false
  /// What `book.json` and the folders of the logs looked like when they were read.
  var diskState: [String]?
  /// The same, when all that lay there was last made durable.
  var settledState: [String]?
  /// What files that lie elsewhere are judged by, until something comes.
  var erasureJudge: ErasureJudge?
  /// The events that counted before a sync, while there is one.
  var countsSince: [UniqueID: UInt64]?
  /// What was counted of the events behind these while everything was folded.
  var foldedNews: [UniqueID: FoldedNews] = [:]
  /// Whether the read model was taken away, to be made anew when what has come is posted.
  var isViewForgotten = false
  /// Keeps the live queries up to date, once there was one.
  var watcher: Watcher?
  /// What had to be mended before something could be written.
  package internal(set) var repairs: [Repair] = []

  package var id: UniqueID { file.book }

  /// Whether the disk has failed to keep something: what was acknowledged is safe, and nothing more is
  /// written by this process.
  package var isDiskFailing: Bool { journal.isPoisoned }

  /// Opens the book in a folder; the read model is kept there too, if no other place is given.
  ///
  /// The witness is a folder outside of the book, by which it is seen that an old copy was put in the book's place.
  package convenience init(
    at folder: Path, on machine: Machine, view place: ReadModel.Place? = nil, witness: Path? = nil
  ) throws(DaybookError) {
    try self.init(unfinishedAt: folder, on: machine, view: place)
    self.witness = witness
    guard file.book != .none else { throw .noBook(folder) }
  }

  /// Opens a book, also one whose founding or joining was cut short.
  init(
    unfinishedAt folder: Path, on machine: Machine, view place: ReadModel.Place?
  ) throws(DaybookError) {
    layout = Layout(folder: folder)
    self.machine = machine
    memoryLimit = machine.memory.command
    diskState = Self.diskState(of: layout, on: machine.disk)
    file = try Self.readFile(layout, on: machine.disk)
    self.place = place ?? .file(layout.view.string)
    model = Self.keptModel(at: self.place, on: machine.disk)
    let recollection = model.flatMap(Self.recollection)
    journal = try wrap(DaybookError.journal) { [layout] () throws(JournalError) in
      try Journal(at: layout.folder, on: machine, recalling: recollection)
    }
  }

  private static func readFile(
    _ layout: Layout, on disk: any Disk
  ) throws(DaybookError) -> BookFile {
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: layout.bookFile, limit: 1 << 20)
    } catch {
      guard error.reason == .notFound || error.reason == .notADirectory else { throw .disk(error) }
      guard try isEmpty(layout, on: disk) else { throw .notABook(layout.folder, nil) }
      throw .noBook(layout.folder)
    }
    do throws(BookFileError) {
      return try BookFile(parsing: bytes)
    } catch {
      throw .notABook(layout.folder, error)
    }
  }

  /// Whether a folder holds nothing, or no more than a founding that was cut short leaves.
  private static func isEmpty(_ layout: Layout, on disk: any Disk) throws(DaybookError) -> Bool {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      guard let status = try disk.status(layout.folder) else { return true }
      guard status.kind == .directory else { return false }
      let names = try disk.list(layout.folder)
      let isBegun = names.allSatisfy { name in
        name == layout.keys.name || name == layout.bookFile.draft.name
      }
      guard isBegun else { return false }
      // A key is there only once a book has been.
      return names.contains(layout.keys.name) ? try disk.list(layout.keys).isEmpty : true
    }
  }

  /// What stands for this machine in `book.json`, looked up once.
  func mark() throws(DaybookError) -> UniqueID {
    if let knownMark { return knownMark }
    let mark = try Self.mark(of: machine)
    knownMark = mark
    return mark
  }

  package static func mark(of machine: Machine) throws(DaybookError) -> UniqueID {
    let name = Array("daybook machine v1".utf8)
    let identity: [UInt8]
    do throws(DiskError) {
      identity = try machine.disk.contents(of: Path("/etc/machine-id"), limit: 4096)
    } catch {
      guard error.reason == .notFound else { throw .disk(error) }
      // A machine without an identity is told apart from all that have one.
      identity = []
    }
    return SHA256.digest(of: name + identity.prefix { $0 != 0x0a }).prefix16
  }

  /// Looks at `book.json` as other processes have left it.
  func reloadFile() throws(DaybookError) { file = try Self.readFile(layout, on: machine.disk) }

  /// Writes `book.json`, with the lock held; else what another process wrote would be lost.
  func saveFile() throws(DaybookError) {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.replace(layout.bookFile, with: file.bytes)
    }
  }

  /// Now, in milliseconds.
  var now: Int64 { machine.timekeeper.now().milliseconds }
}
