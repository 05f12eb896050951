import Bytes
import Domain
import Interchange

/// A book in memory that imports foreign files.
struct ForeignBook {
  struct Outcome: Equatable {
    var added = 0
    var edited = 0
    var same = 0
    var keptDeleted = 0
    var outdated = 0
    /// The number of records with a disputed field, in addition to the other outcomes.
    var disputed = 0
    var passed = 0
    var faults: [OperationFault] = []
  }

  private(set) var records = Records()
  private var sequence: UInt64 = 0
  /// A number that makes the ids of each book different.
  private let salt: UInt64
  /// The tag that identifies this book in other books.
  let tag: String?
  /// Disputed fields, which imports left unchanged.
  private(set) var disputes: [FieldDispute] = []
  /// Records whose deletion counts as the work of an undo.
  var takenBack: Set<EventKey> = []

  init() { (salt, tag) = (78, nil) }

  /// Creates a book that writes its tag to its files.
  init(number: UInt64) { (salt, tag) = (number, "0000000\(number)") }

  /// Creates a book with the records of the given operations.
  init(_ lines: String) throws {
    (salt, tag) = (77, nil)
    for line in lines.split(separator: "\n") {
      try carryOut(Operation(line: Array(line.utf8)), OperationPlanner(keepsUIDs: true))
    }
  }

  @discardableResult
  mutating func take(_ file: ForeignFile) -> Outcome {
    var outcome = Outcome()
    let takenBack = takenBack
    var merge = ForeignMerge(file, in: tag) { takenBack.contains($0) }
    let planner = OperationPlanner(keepsUIDs: true, importer: merge.importer)
    for place in 0..<merge.count {
      do throws(OperationFault) {
        var step = try merge.step(at: place, on: records)
        let same = outcome.same
        if case .disputed(let inner, let disputes) = step {
          self.disputes += disputes
          step = inner
          try carryOut(step, planner, &outcome)
          (outcome.same, outcome.disputed) = (same, outcome.disputed + 1)
        } else {
          try carryOut(step, planner, &outcome)
        }
      } catch {
        outcome.faults.append(error)
      }
    }
    return outcome
  }

  /// Applies an operation.
  private mutating func carryOut(
    _ step: ImportStep, _ planner: OperationPlanner, _ outcome: inout Outcome
  ) throws(OperationFault) {
    switch step {
    case .blank, .disputed: break
    case .passed: outcome.passed += 1
    case .keptDeleted: outcome.keptDeleted += 1
    case .noted(let operation):
      outcome.same += 1
      try carryOut(operation, planner)
    case .outdated(let operation):
      outcome.outdated += 1
      if let operation { try carryOut(operation, planner) }
    case .repeating(let step, let operations):
      let same = outcome.same
      try carryOut(step, planner, &outcome)
      var isNews = false
      for operation in operations where try carryOut(operation, planner) { isNews = true }
      if isNews, outcome.same > same {
        (outcome.same, outcome.edited) = (same, outcome.edited + 1)
      }
    case .operations(let operations, let main):
      var isNews = false
      for operation in operations where try carryOut(operation, planner) { isNews = true }
      guard isNews else {
        outcome.same += 1
        return
      }
      if operations[main].verb == .add { outcome.added += 1 } else { outcome.edited += 1 }
    }
  }

  @discardableResult
  mutating func take(
    _ text: String, _ format: FileFormat, _ settings: ForeignSettings = ForeignSettings()
  ) throws -> Outcome {
    take(try format.read(Array(text.utf8), settings))
  }

  @discardableResult
  mutating func carryOut(
    _ operation: Operation, _ planner: OperationPlanner
  ) throws(OperationFault) -> Bool {
    let drafts = try planner.plan(operation, on: records)
    let first = sequence + 1
    for draft in drafts {
      sequence += 1
      let body = draft.resolved { EventKey(log: 0, sequence: first + UInt64($0)) }
      records.apply(
        Fact(
          key: EventKey(log: 0, sequence: sequence), time: Int64(sequence), when: operation.time,
          hash: UniqueID(high: salt, low: sequence), body: body))
    }
    return !drafts.isEmpty
  }

  /// Runs operations, one per line.
  mutating func run(_ lines: String) throws {
    for line in lines.split(separator: "\n") {
      try carryOut(Operation(line: Array(line.utf8)), OperationPlanner(keepsUIDs: true))
    }
  }

  /// The shown records, one per line, without ids and data kept for formats.
  var shown: [String] {
    StateExport.operations(of: records).map { operation in
      var operation = operation
      (operation.id, operation.time) = ("", nil)
      operation.assignments.removeAll {
        [Field.extra, .owner].contains($0.field)
          || $0.content
            == Schema.field($0.field, of: operation.kind).map { .value($0.valueWhenAbsent) }
      }
      return operation.line.replacing(#""op":"add","#, with: "").replacing(#","id":"""#, with: "")
    }
  }

  func document(_ name: String) -> Document? {
    Schema.kinds.flatMap { records.documents($0.kind) }.first { document in
      (5...6).contains { document.text(Field(rawValue: $0)) == name }
    }
  }

  func contents(_ kinds: Set<Kind> = Set(Schema.kinds.map(\.kind))) -> ExportContents {
    ExportContents(records, kinds: kinds, book: tag)
  }

  func written(_ format: FileFormat, _ settings: ExportSettings = .test) throws -> String {
    String(decoding: try format.write(contents(), settings).bytes, as: UTF8.self)
  }
}

extension ExportSettings {
  /// Settings for an export at noon on 2026-11-20.
  static var test: ExportSettings { ExportSettings(now: 1_795_176_000_000) }
}
