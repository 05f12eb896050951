package import Bytes
import Journaling
package import Platform
package import ReadModel

/// A book on this machine: the journal and the records computed from it.
///
/// Only one caller may use a book at a time. Other processes may use the same folder at the same time, because a write
/// holds the folder's lock while it runs, and a read never blocks.
public final class Book {
  package let core: BookCore
  let quotas: QuotaKeeper
  package let writer: EventWriter
  package let finder: RecordFinder
  package let eraser: Eraser
  package let judge: FrameJudge
  /// Keeps live queries up to date.
  ///
  /// The watcher is created when the first live query starts.
  var watcher: Watcher?

  package var layout: Layout { core.store.layout }
  package var machine: Machine { core.store.machine }
  package var file: BookFile { core.store.file }
  package var progress: ProgressReporter { core.store.folder.progress }
  package var id: UniqueID { file.book }

  /// Whether the disk has failed in such a way that it is unclear which writes are durable.
  ///
  /// Acknowledged events are safe, but this process no longer writes.
  package var isDiskFailing: Bool { core.store.journal.isPoisoned }

  /// The read model, up to date with the journal.
  package func view() throws(DaybookError) -> ReadModel { try core.projector.view() }

  /// The book as of a given time, in memory.
  ///
  /// The result supports the same queries as the current read model.
  package func view(at moment: Int64) throws(DaybookError) -> ReadModel {
    try core.projector.view(at: moment)
  }

  /// Opens the book in a folder.
  ///
  /// The read model is also stored in that folder, unless `view` specifies another place.
  ///
  /// The witness is stored in a folder outside the book: the machine's state folder, unless `witness` specifies a
  /// different folder. The witness reveals whether an old copy has replaced the book.
  package convenience init(
    at folder: Path, on machine: Machine, view place: ReadModel.Place? = nil, witness: Path? = nil
  ) throws(DaybookError) {
    try self.init(unfinishedAt: folder, on: machine, view: place)
    if let witness { core.localDevice.witness = witness }
    guard file.book != .none else { throw try StoreJoinFile(in: core.store).reasonForNoBook() }
  }

  /// Opens a book, including one whose founding or joining was interrupted.
  init(
    unfinishedAt folder: Path, on machine: Machine, view place: ReadModel.Place?
  ) throws(DaybookError) {
    core = try BookCore(at: folder, on: machine, view: place)
    core.localDevice.witness = machine.stateFolder
    quotas = QuotaKeeper(of: core.store, as: core.localDevice, by: core.projector)
    writer = EventWriter(
      store: core.store, localDevice: core.localDevice, trustReader: core.trustReader,
      projector: core.projector, ownLogKeeper: core.ownLogKeeper, access: core.access)
    finder = RecordFinder(store: core.store, projector: core.projector)
    judge = FrameJudge(
      store: core.store, trustReader: core.trustReader, projector: core.projector)
    eraser = Eraser(
      store: core.store, trustReader: core.trustReader, reviewer: core.reviewer,
      projector: core.projector, access: core.access, writer: writer, finder: finder,
      deviceList: core.deviceList)
  }
}

// MARK: - Parts

// The parts of a book, created from the lowest layer to the highest. Each part has references to the parts that it
// needs, and none refers to the book.
extension Book {
  var ownLogKeeper: OwnLogKeeper { core.ownLogKeeper }
  var access: WriteAccess { core.access }

  package var deviceList: DeviceList { core.deviceList }

  package var ownEvents: OwnEvents { core.ownEvents }

  package var historyReader: HistoryReader {
    HistoryReader(
      store: core.store, trustReader: core.trustReader, projector: core.projector,
      deviceList: deviceList, finder: finder)
  }

  package var conflictReader: ConflictReader {
    ConflictReader(projector: core.projector, deviceList: deviceList, historyReader: historyReader)
  }

  package var commands: CommandProcessor {
    CommandProcessor(
      store: core.store, localDevice: core.localDevice, projector: core.projector, access: access,
      writer: writer, finder: finder, conflictReader: conflictReader)
  }

  var undoReader: UndoReader { core.undoReader }

  var undoWriter: UndoWriter {
    UndoWriter(
      store: core.store, trustReader: core.trustReader, projector: core.projector, writer: writer,
      commands: commands)
  }

  package var undoEngine: UndoEngine {
    UndoEngine(
      store: core.store, localDevice: core.localDevice, trustReader: core.trustReader,
      projector: core.projector, access: access, writer: writer, deviceList: deviceList,
      commands: commands, undoReader: undoReader, undoWriter: undoWriter)
  }

  package var held: HeldErasureReader {
    HeldErasureReader(
      store: core.store, trustReader: core.trustReader, projector: core.projector, access: access,
      deviceList: deviceList, eraser: eraser)
  }

  package var losses: LossReader { core.losses }
  package var verifier: LogVerifier { core.verifier }
  package var shelves: ShelfKeeper { core.shelves }
  package var storeKeys: StoreKeyKeeper { core.storeKeys }
  package var prover: Prover { Prover(core, historyReader, finder) }

  var settler: SyncSettler {
    SyncSettler(
      store: core.store, access: access, ownLogKeeper: ownLogKeeper, projector: core.projector,
      losses: losses, eraser: eraser, writer: writer, shelves: shelves)
  }

  package var admin: DeviceAdmin {
    DeviceAdmin(
      store: core.store, localDevice: core.localDevice, trustReader: core.trustReader,
      projector: core.projector, access: access, writer: writer, ownLogKeeper: ownLogKeeper,
      deviceList: deviceList, shelves: shelves, settler: settler, quotas: quotas)
  }

  package var revoker: Revoker {
    Revoker(
      store: core.store, localDevice: core.localDevice, trustReader: core.trustReader,
      projector: core.projector, access: access, writer: writer, deviceList: deviceList,
      historyReader: historyReader, held: held)
  }

  package var refounder: Refounder {
    Refounder(
      store: core.store, localDevice: core.localDevice, trustReader: core.trustReader,
      projector: core.projector, access: access, ownLogKeeper: ownLogKeeper, deviceList: deviceList,
      settler: settler)
  }

  package var exporter: Exporter { core.exporter }

  package var importer: Importer {
    Importer(
      store: core.store, ownLogKeeper: ownLogKeeper, projector: core.projector, access: access,
      writer: writer, undoReader: undoReader, undoEngine: undoEngine, exporter: exporter)
  }

  package var statusReader: StatusReader {
    StatusReader(
      store: core.store, trustReader: core.trustReader, projector: core.projector,
      deviceList: deviceList, ownEvents: ownEvents, losses: losses, held: held, quotas: quotas,
      exporter: exporter)
  }

  package var contactBook: ContactBook { ContactBook(core, deviceList) }

  package var peerAllowList: PeerAllowList { PeerAllowList(core) }

  package var replica: SyncReplica {
    SyncReplica(
      store: core.store, localDevice: core.localDevice, projector: core.projector, access: access,
      ownLogKeeper: ownLogKeeper, shelves: shelves, quotas: quotas, judge: judge, eraser: eraser,
      peerAllowList: peerAllowList)
  }

  var changeSummaryReader: ChangeSummaryReader { core.changeSummaryReader }

  var holdingsReader: HoldingsReader {
    HoldingsReader(
      store: core.store, trustReader: core.trustReader, projector: core.projector,
      deviceList: deviceList, ownEvents: ownEvents, losses: losses)
  }

  package var receipts: ReceiptBuilder {
    ReceiptBuilder(
      store: core.store, localDevice: core.localDevice, trustReader: core.trustReader,
      projector: core.projector, deviceList: deviceList, conflictReader: conflictReader,
      ownEvents: ownEvents, statusReader: statusReader, held: held, contactBook: contactBook,
      changeSummaryReader: changeSummaryReader, holdingsReader: holdingsReader)
  }

  package var replicator: Replicator {
    Replicator(
      store: core.store, localDevice: core.localDevice, projector: core.projector,
      deviceList: deviceList, admin: admin, shelves: shelves, settler: settler,
      contactBook: contactBook, peerNotes: core.peerNotes, receipts: receipts,
      holdingsReader: holdingsReader,
      exchange: PeerExchange(core.storeKeys, replica, invitations.storeDesk))
  }

  package var healthCheck: HealthCheck {
    HealthCheck(
      store: core.store, localDevice: core.localDevice, trustReader: core.trustReader,
      projector: core.projector, access: access, deviceList: deviceList, ownEvents: ownEvents,
      held: held, quotas: quotas, contactBook: contactBook, peerNotes: core.peerNotes,
      verifier: verifier)
  }

  package var healer: Healer {
    Healer(
      store: core.store, localDevice: core.localDevice, projector: core.projector, access: access,
      deviceList: deviceList, eraser: eraser, verifier: verifier, replicator: replicator)
  }

  package var service: ServiceFile { ServiceFile(folder: core.store.folder) }

  var joiner: Joiner {
    Joiner(
      store: core.store, localDevice: core.localDevice, trustReader: core.trustReader,
      projector: core.projector, access: access, writer: writer, deviceList: deviceList,
      shelves: shelves, service: service)
  }

  package var invitations: InvitationDesk {
    InvitationDesk(
      store: core.store, trustReader: core.trustReader, projector: core.projector, access: access,
      writer: writer, deviceList: deviceList, service: service)
  }
}

// MARK: - Errors

extension Book {
  /// Runs a function that may write, and converts any error to a ``Failure`` that states whether anything was written.
  func failingAfterWriting<Value>(
    _ body: () throws(DaybookError) -> Value
  ) throws(Failure) -> Value {
    let before = writer.writtenCount
    do throws(DaybookError) { return try body() } catch {
      throw Failure(error, hasWritten: writer.writtenCount > before)
    }
  }
}

// MARK: - Live queries

extension Book {
  /// Follows a query: delivers its result, and then every change to the result by this or any other process.
  ///
  /// One thread with its own `Book` updates all live queries, and runs while there are any. The sequences can be used
  /// on any task, and remain valid after this book is released.
  ///
  /// - Parameters:
  ///   - query: The query to follow.
  ///   - order: The order of the rows; nil for the query's own order.
  ///   - division: The division of the rows into sections; nil for the query's own division.
  /// - Returns: The changes, each of which turns one result into the next.
  package func watch<Row: QueryRow>(
    _ query: Query<Row>, sortedBy order: Row.Order? = nil, sections division: Row.Division? = nil
  ) -> LiveQuery<Row> {
    var query = query
    if let order { query.order = order }
    if let division { query.division = division }
    return LiveQuery(query, by: watched)
  }

  /// Keeps the live queries up to date.
  package var watched: Watcher {
    if let watcher { return watcher }
    let made = Watcher(of: layout.folder, on: machine, view: core.projector.place)
    watcher = made
    return made
  }
}
