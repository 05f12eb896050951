import Platform
import ReadModel

/// The parts on which all other parts of a book depend: its folder, its logs, this device, and the read model.
package final class BookCore {
  package let store: LogStore
  let peerNotes: PeerNotes
  package let localDevice: LocalDevice
  let trustReader: TrustReader
  let lossTracker: LossTracker
  let reviewer: ErasureReviewer
  package let projector: Projector

  init(
    at path: Path, on machine: Machine, view place: ReadModel.Place?
  ) throws(DaybookError) {
    let state = Layout(folder: path).diskState(on: machine.disk)
    let folder = try BookFolder(at: path, on: machine)
    // SQLite opens files by path, so a disk in memory needs a read model in memory.
    let place =
      place ?? (machine.disk.isInMemory ? .memory : .file(folder.layout.view.string))
    let model = Projector.keptModel(at: place, on: machine)
    store = try LogStore(
      in: folder, asOf: state, recalling: model.flatMap(Projector.logEndCache))
    peerNotes = PeerNotes(in: store)
    localDevice = LocalDevice(in: store)
    trustReader = TrustReader(store: store)
    lossTracker = LossTracker(store: store)
    reviewer = ErasureReviewer(store: store, localDevice: localDevice)
    projector = Projector(of: store, as: localDevice, at: place, model)
  }
}

// MARK: - Parts that need only these

extension BookCore {
  var ownLogKeeper: OwnLogKeeper {
    OwnLogKeeper(
      store: store, localDevice: localDevice, lossTracker: lossTracker, claimReader: claimReader,
      projector: projector)
  }

  var claimReader: ClaimReader {
    ClaimReader(
      store: store, localDevice: localDevice, peerNotes: peerNotes, trustReader: trustReader)
  }

  var access: WriteAccess {
    WriteAccess(store: store, ownLogKeeper: ownLogKeeper, projector: projector)
  }

  var deviceList: DeviceList {
    DeviceList(
      store: store, localDevice: localDevice, trustReader: trustReader, projector: projector,
      peerNotes: peerNotes)
  }

  var ownEvents: OwnEvents {
    OwnEvents(
      store: store, localDevice: localDevice, reviewer: reviewer, projector: projector,
      peerNotes: peerNotes)
  }

  var undoReader: UndoReader {
    UndoReader(
      store: store, localDevice: localDevice, trustReader: trustReader, projector: projector)
  }

  var losses: LossReader {
    LossReader(
      store: store, localDevice: localDevice, trustReader: trustReader, lossTracker: lossTracker,
      projector: projector, access: access, deviceList: deviceList)
  }

  var verifier: LogVerifier {
    LogVerifier(
      store: store, localDevice: localDevice, trustReader: trustReader, lossTracker: lossTracker,
      projector: projector, access: access, losses: losses,
      claimReader: claimReader)
  }

  var shelves: ShelfKeeper {
    ShelfKeeper(store: store, trustReader: trustReader, projector: projector, access: access)
  }

  var storeKeys: StoreKeyKeeper {
    StoreKeyKeeper(
      store: store, localDevice: localDevice, trustReader: trustReader, shelves: shelves,
      deviceList: deviceList)
  }

  var changeSummaryReader: ChangeSummaryReader {
    ChangeSummaryReader(store: store, projector: projector)
  }

  var exporter: Exporter {
    Exporter(
      store: store, localDevice: localDevice, trustReader: trustReader, projector: projector,
      ownEvents: ownEvents)
  }
}
