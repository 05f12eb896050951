internal import Domain

/// The occurrences of a to-do in a file, each with the data that the book stores about its slot.
struct ToldOccurrences {
  private(set) var all: [(record: ForeignRecord, known: Document?)] = []

  /// Finds the occurrences of a record.
  ///
  /// - Parameters:
  ///   - record: The to-do in the file.
  ///   - document: The to-do in the book; nil if the book does not have it.
  ///   - records: The book.
  ///   - format: The format of the file.
  ///   - planner: Finds records by their uids.
  ///   - book: The tag of the book.
  init(
    of record: ForeignRecord, in document: Document?, on records: Records, _ format: FileFormat,
    _ planner: OperationPlanner, book: String?
  ) {
    // An occurrence that another book wrote counts as new, because that book does not say which of its occurrences this
    // book has read.
    let isOfOtherBook = record.origin.map { $0.book != book } ?? false
    let stored = document.map { RecurrenceFinder(records).occurrences(of: $0) } ?? []
    let bySlot = Dictionary(
      stored.map { ($0.value(Field.Todo.slot).date, $0) }, uniquingKeysWith: { first, _ in first })
    // A program that does not support occurrences has closed the to-do itself.
    let closedBySeries = document.flatMap { Series($0) }.flatMap {
      $0.closing == nil ? nil : $0.anchor
    }
    var told: Set<CivilDate> = []
    for var occurrence in record.occurrences {
      if isOfOtherBook { occurrence.base = nil }
      guard let slot = occurrence.slot, told.insert(slot).inserted else { continue }
      let known = bySlot[slot]
      if known == nil, slot == closedBySeries, occurrence.isClosed { continue }
      if occurrence.standing == .incidental { continue }
      // A file of this book may still have an occurrence that was undone here.
      if known == nil, document != nil, record.origin?.book == book, book != nil,
        occurrence.isAsTold
      {
        continue
      }
      add(occurrence, at: slot, of: record, known, records, planner)
    }
    addMissing(
      of: record,
      stored.filter { document in
        ForeignExtra(of: document, format: format).base != nil
          && !(document.value(Field.Todo.slot).date.map(told.contains) ?? true)
      })
  }

  /// Adds an occurrence under the id that it has in the book.
  private mutating func add(
    _ occurrence: ForeignRecord, at slot: CivilDate, of record: ForeignRecord, _ known: Document?,
    _ records: Records, _ planner: OperationPlanner
  ) {
    var occurrence = occurrence
    var uid = occurrence.uid.isEmpty ? Self.uid(of: record, slot) : occurrence.uid
    // A deleted occurrence has only the uid of the import that added it.
    let named = planner.entity(.todo, uid, in: records).flatMap { records.document(of: $0) }
    // A date that was imported without its series is a separate to-do, and remains one.
    let isTodo = named.map { $0.isAlive && !$0.isOccurrence } ?? false
    if isTodo { uid = Self.uid(of: record, slot) }
    let known = known ?? (isTodo ? nil : named)
    occurrence.uid = known.map { $0.isAlive ? $0.id.uuid : uid } ?? uid
    occurrence.fields[.owner] = .record(uid: record.uid)
    all.append((occurrence, known))
  }

  /// Adds an empty record for each stored occurrence that came from an earlier file and is missing from this file, so
  /// that the import clears the outdated data of the occurrence.
  ///
  /// Programs forget the dates before the first date of a task.
  private mutating func addMissing(of record: ForeignRecord, _ documents: [Document]) {
    // A book lists every date that it stores.
    guard record.base == nil,
      let first = record.date(Field.Todo.start) ?? record.date(Field.Todo.due)
    else { return }
    for document in documents {
      guard let slot = document.value(Field.Todo.slot).date, slot >= first else { continue }
      var occurrence = ForeignRecord(occurrenceAt: slot, at: record.place)
      occurrence.uid = document.id.uuid
      occurrence.fields[.owner] = .record(uid: record.uid)
      all.append((occurrence, document))
    }
  }

  private static func uid(of record: ForeignRecord, _ slot: CivilDate) -> String {
    "\(record.uid) \(slot.iso)"
  }
}

extension ImportStep {
  /// Returns whether the to-do of a step repeats afterwards.
  func leavesRepeating(_ document: Document?) -> Bool {
    let assignments = allOperations.flatMap(\.assignments)
    if let written = assignments.last(where: { $0.field == Field.Todo.repeat }) {
      return written.content != .value(.null)
    }
    return document.map {
      $0.value(Field.Todo.repeat) != .null || $0.value(Field.Todo.parent) != .null
    }
      ?? assignments.contains { $0.field == Field.Todo.parent }
  }

  /// All operations of the step.
  var allOperations: [Operation] {
    switch self {
    case .blank, .passed, .keptDeleted: []
    case .outdated(let operation): [operation].compactMap(\.self)
    case .operations(let operations, _): operations
    case .noted(let operation): [operation]
    case .repeating(let step, let operations): step.allOperations + operations
    case .disputed(let step, _): step.allOperations
    }
  }

  /// The fields that the step leaves unchanged because they are disputed.
  var disputes: [FieldDispute] {
    if case .disputed(_, let disputes) = self { disputes } else { [] }
  }

  /// Returns the step with operations on occurrences, and more disputes.
  func adding(_ operations: [Operation], _ more: [FieldDispute]) -> ImportStep {
    var (step, disputes) = (self, more)
    if case .disputed(let inner, let own) = self { (step, disputes) = (inner, own + more) }
    if !operations.isEmpty { step = .repeating(step, operations) }
    return disputes.isEmpty ? step : .disputed(step, disputes)
  }
}
