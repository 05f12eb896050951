import Bytes
package import Domain
import Journaling
import Platform
package import ReadModel

/// Keeps the read model of a book up to its logs.
package final class Projector {
  let store: LogStore
  let lossTracker: LossTracker
  let replayer: Replayer
  /// Where the read model is kept; in memory from the moment the disk refuses it.
  var place: ReadModel.Place
  /// The file of a read model that the disk has refused to go on with.
  var leftView: String?
  var model: ReadModel?
  /// What the read model remembers, as it was at these positions.
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
  /// How often that has changed.
  private(set) var generation = 0
  /// How many bytes of memory a fold may take; beyond that it is done in portions.
  var memoryLimit: UInt64
  /// Whether the read model was taken away, to be made anew when what has come is posted.
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

  /// The read model, brought up to the journal.
  ///
  /// Where the disk has no room for it or is read-only, it is made in memory: it is only a copy, and what the
  /// journal holds can be read all the same.
  package func view() throws(DaybookError) -> ReadModel { try view(posting: nil) }

  /// The read model, brought up to the journal, with a command of this process in its undo trail.
  ///
  /// - Parameter command: What was written and not posted yet.
  /// - Returns: The read model.
  /// - Throws: ``DaybookError``, when the logs cannot be read.
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

  /// Does something with the read model, and once more with one made anew where its file only now proves damaged.
  ///
  /// It is only a copy: whatever is wrong with it, the logs are what counts.
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
    if let model { return model }
    do throws(ReadModelError) {
      let opened = try ReadModel(place)
      model = opened
      memory = nil
      return opened
    } catch .unusable {
      // It is only a copy: whatever is wrong with it, the logs are what counts.
      try rebuild()
      guard let model else { preconditionFailure("a rebuild leaves a read model") }
      return model
    } catch {
      throw .view(error)
    }
  }

  /// Whether a read model, if anything is in it, was posted for the book as it is called now: by that it is
  /// told whom to trust.
  private func isOfThisBook(
    _ model: ReadModel, _ positions: [UniqueID: LogPosition]
  ) throws(DaybookError) -> Bool {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      guard let book = try model.settings.value("book") else { return positions.isEmpty }
      return book == store.file.book.bytes
    }
  }

  /// Whether the journal has more than was posted, or has back what it had lost then: that lies before the ends.
  private func isBehind(
    _ positions: [UniqueID: LogPosition], _ ledger: Ledger
  ) throws(DaybookError) -> Bool {
    let posted = positions.filter { $0.value.sequence > 0 }
    guard posted.count == store.journal.logs.count, try !isHealed(since: ledger) else {
      return true
    }
    return store.journal.logs.contains { log, end in
      posted[log]?.sequence != end.sequence || posted[log]?.hash != end.hash.prefix16
    }
  }

  /// Whether other events can be read, before the ends of logs, than could when the ledger was written.
  func isHealed(since ledger: Ledger) throws(DaybookError) -> Bool {
    if ledger.holes != store.journalHoles { return true }
    // What another process put back before the loss was noted left no trace there.
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

// MARK: - What it remembers

extension Projector {
  func positions(of model: ReadModel) throws(DaybookError) -> [UniqueID: LogPosition] {
    let positions = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.logs.positions()
    }
    return Dictionary(uniqueKeysWithValues: positions.map { ($0.id, $0) })
  }

  /// What the read model, brought up to the journal, remembers beside the records.
  func posting() throws(DaybookError) -> Posting { try remembered(by: try view()) }

  /// Who may write to the book, by all that has come.
  func trust() throws(DaybookError) -> Trust {
    try replayer.trustReader.trust(by: try posting().ledger)
  }

  /// What the read model remembers beside the records, as it was when it was last written.
  func remembered(by model: ReadModel) throws(DaybookError) -> Posting {
    // Another process may have posted since; then what is in mind here is of no use.
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

  /// What a read model with these positions was posted by; nil where it does not tell.
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
    // One that cannot be read was written by another version, or is damaged.
    return try? Ledger(decoding: bytes)
  }

  /// What was seen; where nothing can be folded, that is not known, and the rest must do.
  var postedCausality: Causality? {
    guard let model = try? view() else { return nil }
    return try? remembered(by: model).causality
  }

  /// The last events that were posted to the read model, as it lies there.
  func postedEnds() -> [Landmark] {
    // One that cannot be read tells nothing, and is made anew by whoever needs it.
    (try? readPostedEnds()) ?? []
  }

  private func readPostedEnds() throws(DaybookError) -> [Landmark] {
    guard let model = try presentModel() else { return [] }
    let book = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.settings.value("book")
    }
    guard book == store.file.book.bytes else { return [] }
    return try positions(of: model).values.filter { $0.sequence > 0 }.map {
      Landmark(log: $0.replica, sequence: $0.sequence, hash: $0.hash)
    }
  }

  /// The read model as it was left, if there is one.
  func presentModel() throws(DaybookError) -> ReadModel? {
    if let model { return model }
    guard case .file(let path) = place else { return nil }
    let status = try wrap(DaybookError.disk) { () throws(DiskError) in
      try store.machine.disk.status(Path(path))
    }
    guard status != nil else { return nil }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in try ReadModel(place) }
  }

  /// All that is folded on this machine, in memory and past the read model.
  package func records() throws(DaybookError) -> Records { try replayer.foldAll().records }

  /// Where every log stands and what was newly seen, for the read model to keep.
  func change(for posting: Posting) -> Change {
    let positions = posting.causality.logs.enumerated().map { number, identity in
      let end = store.journal.end(of: identity.id, on: .logs)
      return LogPosition(
        number: UInt32(number), id: identity.id, replica: identity.replica, trunk: identity.trunk,
        sequence: end?.sequence ?? 0, hash: end?.hash.prefix16 ?? .none)
    }
    // A trail is gone on with only by who knows what is posted.
    var settings = [
      "ledger": posting.ledger.encode(), "book": store.file.book.bytes,
      UndoTrailStore.setting: [],
    ]
    // One in memory ends with the journal that it was posted from.
    if place != .memory { settings[Self.ends] = store.journal.logEndCache().encode() }
    return Change(positions: positions, seen: posting.notes, settings: settings)
  }
}
extension DaybookError {
  /// Whether the disk would not take the read model, which says nothing of the logs.
  var isRefusalOfTheDisk: Bool {
    switch self {
    case .view(let error): error.isRefusalOfTheDisk
    case .disk(let error): [.full, .readOnly, .permission].contains(error.reason)
    default: false
    }
  }
}
