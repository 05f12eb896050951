import Bytes
package import Domain
package import Journaling
import Platform
package import ReadModel

/// Keeps the read model of a book up to date with its logs.
package final class Projector {
  let store: LogStore
  let lossTracker: LossTracker
  let replayer: Replayer
  /// The location of the read model, which is in memory once the disk has refused it.
  var place: ReadModel.Place
  /// The file of a read model that the disk has refused.
  var leftView: String?
  var model: ReadModel?
  /// The posting that the read model stores with the records, and the positions for which it is valid.
  var memory: (posting: Posting, positions: [UniqueID: LogPosition])? {
    didSet {
      generation += 1
      store.openings = []
      guard let posting = memory?.posting else { return }
      replayer.numbering = posting.causality.logs
      store.openings = posting.ledger.trustEvents.compactMap { event in
        if case .open(let opening) = event.verb { opening } else { nil }
      }
    }
  }
  /// The number of times that `memory` has changed.
  private(set) var generation = 0
  /// The memory that a fold may take, in bytes.
  ///
  /// Larger books are folded in portions.
  var memoryLimit: UInt64
  /// Whether the read model was removed, to be rebuilt when received events are folded.
  var isViewForgotten = false

  init(
    of store: LogStore, as device: LocalDevice, at place: ReadModel.Place, _ model: ReadModel?
  ) {
    (self.store, self.place, self.model) = (store, place, model)
    lossTracker = LossTracker(store: store)
    replayer = Replayer(of: store, as: device)
    memoryLimit = store.machine.memory.command
  }

  var files: ReadModelFiles { ReadModelFiles(machine: store.machine) }

  /// The read model, up to date with the journal.
  ///
  /// If the disk is full or read-only, the read model is created in memory, because the journal can still be read.
  package func view() throws(DaybookError) -> ReadModel { try view(posting: nil) }

  /// The read model, up to date with the journal, with a command of this process in its undo trail.
  ///
  /// - Parameter command: The command that has been written but not yet folded.
  /// - Returns: The read model.
  /// - Throws: ``DaybookError`` if the logs cannot be read.
  func view(posting command: FreshCommand?) throws(DaybookError) -> ReadModel {
    do throws(DaybookError) {
      return try withSoundView { () throws(DaybookError) in try currentView(posting: command) }
    } catch {
      guard case .file(let path) = place, error.isRefusalOfTheDisk else { throw error }
      (place, leftView) = (.memory, path)
      model = nil
      return try currentView(posting: command)
    }
  }

  /// Runs a function with the read model.
  ///
  /// If the file turns out to be damaged, the read model is rebuilt, and the function runs again.
  ///
  /// The read model is only a copy of what is in the logs.
  func withSoundView<Value>(
    _ body: () throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    do throws(DaybookError) {
      return try body()
    } catch {
      guard case .view(.unusable) = error, place != .memory else { throw error }
      (model, memory) = (nil, nil)
      try rebuild()
      return try body()
    }
  }

  private func currentView(
    posting command: FreshCommand?
  ) throws(DaybookError) -> ReadModel {
    try store.noticeOthers()
    for _ in 0..<LogStore.attempts {
      let model = try openModel()
      let positions = try positions(of: model)
      guard try isOfThisBook(model, positions) else { return try rebuilt() }
      if !positions.isEmpty {
        guard let ledger = try ledger(of: model, at: positions) else { return try rebuilt() }
        if try replayer.reviewer.hasAccepted(since: ledger) { return try rebuilt() }
        guard try isBehind(positions, ledger) else { return model }
      }
      switch try catchUp(model, from: positions, posting: command) {
      case .done: return model
      case .overtaken: continue
      case .needsRebuild: return try rebuilt()
      }
    }
    return try rebuilt()
  }

  private func openModel() throws(DaybookError) -> ReadModel {
    // Another process may have replaced the read model, for example because it contained erased content.
    if let model, !model.isReplaced { return model }
    do throws(DaybookError) {
      let opened = try files.open(place)
      model = opened
      memory = nil
      return opened
    } catch .view(.unusable) {
      // The read model is only a copy of what is in the logs.
      try rebuild()
      guard let model else { preconditionFailure("a rebuild leaves a read model") }
      return model
    }
  }

  /// Whether a read model is empty or was made for the current id of the book, which determines the trusted devices.
  private func isOfThisBook(
    _ model: ReadModel, _ positions: [UniqueID: LogPosition]
  ) throws(DaybookError) -> Bool {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      guard let book = try model.settings.value("book") else { return positions.isEmpty }
      return book == store.file.book.bytes
    }
  }

  /// Whether the journal has events that have not been posted yet, at the ends of logs or recovered before them.
  private func isBehind(
    _ positions: [UniqueID: LogPosition], _ ledger: Ledger
  ) throws(DaybookError) -> Bool {
    let posted = positions.filter { $0.value.sequence > 0 }
    let logs = store.journal.logs
    guard posted.count == logs.count, try !isHealed(since: ledger) else { return true }
    return logs.contains { log, end in
      posted[log]?.sequence != end.sequence || posted[log]?.hash != end.hash.prefix16
    }
  }

  /// Whether the readable events before the ends of logs differ from those when the ledger was written.
  func isHealed(since ledger: Ledger) throws(DaybookError) -> Bool {
    if ledger.holes != store.journalHoles { return true }
    // If another process recovered an event before its loss was recorded in the journal, only reading the log shows it.
    for (log, ranges) in ledger.missing {
      for lost in ranges.without(store.journal.holes(in: log)) {
        if try store.canRead(lost, of: log) { return true }
      }
    }
    for log in ledger.erasing.stripped.keys where store.journal.end(of: log, on: .logs) != nil {
      for lost in ledger.erasing.bodiless(in: log, by: ledger.folded) {
        if try store.hasBody(in: lost, of: log) { return true }
      }
    }
    return false
  }
}

// MARK: - Stored in the read model

extension Projector {
  func positions(of model: ReadModel) throws(DaybookError) -> [UniqueID: LogPosition] {
    try wrap(DaybookError.view) { () throws(ReadModelError) in try model.positions() }
  }

  /// The posting that is stored in the read model, after updating it from the journal.
  func posting() throws(DaybookError) -> Posting { try remembered(by: try view()) }

  /// The devices that may write to the book, based on all events.
  package func trust() throws(DaybookError) -> Trust {
    try replayer.trustReader.trust(by: try posting().ledger)
  }

  /// The posting that a read model stores with the records, without updating it.
  func remembered(by model: ReadModel) throws(DaybookError) -> Posting {
    // If another process has updated the read model since, the posting in memory is outdated.
    let positions = try positions(of: model)
    if let memory, memory.positions == positions { return memory.posting }
    guard let ledger = try ledger(of: model) else {
      return Posting(causality: Causality(), ledger: Ledger())
    }
    let posting = try wrap(DaybookError.view) { () throws(ReadModelError) in
      Posting(causality: try model.logs.causality(), ledger: ledger)
    }
    memory = (posting, positions)
    return posting
  }

  /// The ledger of a read model with these positions; nil if the read model has none.
  private func ledger(
    of model: ReadModel, at positions: [UniqueID: LogPosition]
  ) throws(DaybookError) -> Ledger? {
    if let memory, memory.positions == positions { return memory.posting.ledger }
    return try ledger(of: model)
  }

  func ledger(of model: ReadModel) throws(DaybookError) -> Ledger? {
    let bytes = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.settings.value("ledger")
    }
    guard let bytes else { return nil }
    // A ledger that cannot be decoded was written by a different version, or is damaged.
    return try? Ledger(decoding: bytes)
  }

  /// The posting of all events; nil if nothing can be folded.
  ///
  /// If the posting is nil, callers skip the checks that need it.
  var posted: Posting? { try? posting() }

  /// The last events that were added to the read model, without updating it first.
  func postedEnds() -> [Landmark] { lossTracker.ends(at: postedPositions()) }

  /// The positions of the read model, without updating it first.
  func postedPositions() -> [LogPosition] {
    // A read model that cannot be read provides no information, and is rebuilt when it is needed.
    (try? readPostedPositions()) ?? []
  }

  private func readPostedPositions() throws(DaybookError) -> [LogPosition] {
    guard let model = try presentModel() else { return [] }
    let book = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.settings.value("book")
    }
    guard book == store.file.book.bytes else { return [] }
    return try Array(positions(of: model).values)
  }

  /// The read model without an update: the open read model or, if there is none, the read model in the file; nil if
  /// neither exists.
  func presentModel() throws(DaybookError) -> ReadModel? {
    if let model { return model }
    guard case .file(let path) = place else { return nil }
    return try files.existing(at: path)
  }

  /// All records, folded in memory without the read model.
  package func records() throws(DaybookError) -> Records { try replayer.foldAll().records }

  /// The positions of all logs and the new *seen* entries, for storing them in the read model.
  func change(for posting: Posting) -> Change {
    let positions = posting.causality.logs.enumerated().map { number, identity in
      let end = store.journal.end(of: identity.id, on: .logs)
      return LogPosition(
        number: UInt32(number), id: identity.id, replica: identity.replica, trunk: identity.trunk,
        sequence: end?.sequence ?? 0, hash: end?.hash.prefix16 ?? .none)
    }
    // Clear the undo trail. Only a caller that knows which facts are folded may set it.
    var settings = [
      "ledger": posting.ledger.encode(), "book": store.file.book.bytes,
      UndoTrailStore.setting: [],
    ]
    // A read model in memory lives no longer than the journal from which it was made, so it needs no ends.
    if place != .memory { settings[Self.ends] = store.journal.logEndCache().encode() }
    return Change(positions: positions, seen: posting.notes, settings: settings)
  }
}
extension DaybookError {
  /// Whether the disk has refused an operation.
  ///
  /// A refusal, for example because the disk is full, does not indicate a problem with the logs.
  var isRefusalOfTheDisk: Bool {
    switch self {
    case .view(let error): error.isRefusalOfTheDisk
    case .disk(let error): [.full, .readOnly, .permission].contains(error.reason)
    default: false
    }
  }
}
