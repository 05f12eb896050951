package import Bytes
import Crypto
import Domain
import Journaling
package import Platform
import ReadModel

/// What an erasure did.
package struct EraseReport: Sendable {
  /// How many records were erased, those that they owned among them.
  package var records: Int
  /// How many bodies were taken out of the files here.
  package var bodies: Int
  /// Files with bytes set aside that were removed.
  package var removed: [Path]
  /// Bytes that were no frame and are gone from the files here: what was erased may have been among them.
  package var damagedBytes = 0
  /// Whether it had been erased before, and only what was left of it was taken away.
  package var wasErased: Bool
  /// Whether others take part: an unadmitted device's own erasure hides the record here, and no more.
  package var isCommon: Bool
  /// Why the erased bytes are still in files here; nil if they are gone.
  package var failure: DaybookError?
}

extension Book {
  /// Takes everything that was ever written of a record out of the book, for good.
  package func erase(_ id: UniqueID) throws(DaybookError) -> EraseReport {
    try withLock { () throws(DaybookError) in
      let before = try hiddenCount()
      let wasErased = try isErased(id)
      if !wasErased {
        guard let document = try document(withID: id) else { throw .unknown(id.uuid, kind: nil) }
        var posting = try remembered(by: try view())
        _ = try append([], erasing: document.members, knowing: &posting)
      }
      let records = try hiddenCount() - before
      let (report, failure) = try stripErasedOrTell()
      return EraseReport(
        records: records, bodies: report.bodies.values.reduce(0, +), removed: report.removed,
        damagedBytes: report.damagedBytes, wasErased: wasErased, isCommon: try isAdmitted(),
        failure: failure)
    }
  }

  func hiddenCount() throws(DaybookError) -> Int {
    try remembered(by: try view()).ledger.erasing.hidden.entities.count
  }

  /// Whether that is the id of a record that is erased.
  private func isErased(_ id: UniqueID) throws(DaybookError) -> Bool {
    try erasedIDs().contains(id)
  }

  /// The ids of what was erased by its name, without what that owned.
  package func erasedIDs() throws(DaybookError) -> Set<UniqueID> {
    try erasedIDs(by: try remembered(by: try view()).ledger)
  }

  private func erasedIDs(by ledger: Ledger) throws(DaybookError) -> Set<UniqueID> {
    let erasing = ledger.erasing
    let tree = logTree
    var named: Set<EventName> = []
    for erase in erasing.erases {
      guard let entity = try tree.resolve(erase)?.entity else { continue }
      if erasing.hidden[entity] != nil { named.insert(entity) }
    }
    var ids: Set<UniqueID> = []
    for entity in named.sorted() {
      let hash = try wrap(DaybookError.journal) { () throws(JournalError) in
        journal.end(of: entity.log, on: .logs) == nil
          ? nil : try journal.hash(of: entity.log, at: entity.sequence)
      }
      if let hash { ids.insert(UniqueID(ofEntityAddedBy: hash.prefix16)) }
    }
    return ids
  }

  /// The id of the erased record that words name: the id itself, or the beginning of it.
  package func findErased(_ words: String) throws(DaybookError) -> UniqueID? {
    guard words.count > 3, let ids = ShortID.parse(words) else { return nil }
    let fitting = try erasedIDs().filter(ids.contains)
    return fitting.count == 1 ? fitting.first : nil
  }

  /// Why a record cannot be found by its id.
  func missing(_ id: UniqueID, by ledger: Ledger) throws(DaybookError) -> DaybookError {
    try erasedIDs(by: ledger).contains(id)
      ? .erased(ShortID.text(of: id)) : .unknown(id.uuid, kind: nil)
  }

  /// Why words name nothing; an erased record is named by the beginning of its id alone.
  func missing(_ words: String, kind: Kind?) throws(DaybookError) -> DaybookError {
    try findErased(words) == nil ? .unknown(words, kind: kind) : .erased(words)
  }
}

// MARK: Files

extension Book {
  /// What the common state has erased, and no user is to accept first.
  ///
  /// Only that is stripped: what an unadmitted device erases, or one that is cut, is hidden where it is folded.
  func commonErasures() throws(DaybookError) -> Erasures {
    let ledger = try remembered(by: try view()).ledger
    return try ledger.erasing.erasures(by: try trust(by: ledger).admitted, in: logTree)
  }

  /// Strips what has come and what has become erased, where there is something.
  func finishErasing() throws(DaybookError) {
    journal.erasures = try commonErasures()
    guard try !isStripped(of: journal.erasures) else { return }
    try withLock { () throws(DaybookError) in
      if let failure = try stripErasedOrTell().failure { throw failure }
    }
  }

  /// Strips all files of what the common state has erased; with the lock held.
  func stripErased() throws(DaybookError) -> StripReport {
    try keepReview()
    var total = StripReport()
    while true {
      let erasures = try commonErasures()
      try removeViewsBeforeLoss(unlessMadeAfter: erasures)
      let model = try view()
      let changed = try logsToStrip(of: erasures)
      if changed.isEmpty { return total }
      let report = try wrap(DaybookError.journal) { () throws(JournalError) in
        try journal.strip(erasures, in: changed)
      }
      total.add(report)
      try removeLeftView()
      guard !report.isNothing else {
        try note(erasures, in: model)
        return total
      }
      // The records were folded before, and other processes may have been building theirs.
      try rebuild()
      try removeViewDrafts()
    }
  }

  private static let strippedSetting = "stripped"

  private func isStripped(of erasures: Erasures) throws(DaybookError) -> Bool {
    try logsToStrip(of: erasures).isEmpty
  }

  /// The logs that were not looked through for these since they grew.
  private func logsToStrip(of erasures: Erasures) throws(DaybookError) -> Set<UniqueID> {
    let model = try view()
    var all = Set(journal.logs.keys).union(journal.aside.keys)
    if erasures.isEmpty {
      // Where a body came stripped, the seed of its block has to go, whatever the `erase` counts for.
      let stripped = try remembered(by: model).ledger.erasing.stripped
      all = all.filter { stripped[$0] != nil }
      if all.isEmpty { return [] }
    }
    guard let known = try lookedThrough(for: erasures, model) else { return all }
    let marks = Set(
      stride(from: 32, to: known.count - 31, by: 32).map { Digest(known[$0..<$0 + 32]) })
    return all.filter { !marks.contains(mark(of: $0)) }
  }

  /// Whether the logs have been stripped of these erasures; events that came later do not matter.
  func wasLookedThrough(for erasures: Erasures) throws(DaybookError) -> Bool {
    if erasures.isEmpty { return true }
    return try lookedThrough(for: erasures, try view()) != nil
  }

  /// The marks of the last stripping, if it was for these erasures.
  private func lookedThrough(
    for erasures: Erasures, _ model: ReadModel
  ) throws(DaybookError) -> [UInt8]? {
    let known = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.setting(Self.strippedSetting)
    }
    guard let known, known.starts(with: digest(of: erasures).bytes) else { return nil }
    return known
  }

  private func note(_ erasures: Erasures, in model: ReadModel) throws(DaybookError) {
    let logs = Set(journal.logs.keys).union(journal.aside.keys)
    let marks = logs.map(mark(of:)).sorted()
    do throws(ReadModelError) {
      try model.keep(
        Self.strippedSetting, digest(of: erasures).bytes + marks.flatMap(\.bytes))
    } catch {
      // Without room for it, the logs are looked through again the next time.
      guard error.isRefusalOfTheDisk else { throw .view(error) }
    }
  }

  /// Removes the copies of former read models that were made before one of these erasures.
  private func removeViewsBeforeLoss(unlessMadeAfter erasures: Erasures) throws(DaybookError) {
    guard !erasures.isEmpty else { return }
    let state = digest(of: erasures).bytes
    try ViewsBeforeLoss(of: layout, on: machine).remove(Self.strippedSetting) { known in
      known?.starts(with: state) ?? false
    }
  }

  private func digest(of erasures: Erasures) -> Digest {
    var writer = CBORWriter()
    erasures.encode(to: &writer)
    return SHA256.digest(of: writer.bytes)
  }

  /// Stands for what is held of a log.
  private func mark(of log: UniqueID) -> Digest {
    let end = journal.end(of: log, on: .logs) ?? journal.end(of: log, on: .aside)
    let holes = "\(journal.holes(in: log))"
    return SHA256.digest(of: log.bytes + (end?.hash.bytes ?? []) + Array(holes.utf8))
  }

  /// Removes read models that were never finished.
  private func removeViewDrafts() throws(DaybookError) {
    guard case .file(let path) = place else { return }
    let view = Path(path)
    try wrap(DaybookError.disk) { () throws(DiskError) in
      let companions = Set(ReadModel.companionSuffixes.map { view.name + $0 })
      let drafts = try machine.disk.list(view.parent).filter { name in
        name.hasPrefix(view.name + ".") && !companions.contains(name)
      }
      for name in drafts { try machine.disk.removeIfPresent(view.parent / name) }
    }
  }
}

extension StripReport {
  fileprivate mutating func add(_ other: StripReport) {
    bodies.merge(other.bodies) { $0 + $1 }
    files += other.files
    removed += other.removed
    damagedBytes += other.damagedBytes
  }
}
