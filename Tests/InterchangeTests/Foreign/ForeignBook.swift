import Bytes
import Domain
import Interchange

/// A book in memory that takes in foreign files, as an import does.
struct ForeignBook {
  struct Outcome: Equatable {
    var added = 0
    var edited = 0
    var same = 0
    var keptDeleted = 0
    var passed = 0
    var faults: [OperationFault] = []
  }

  private(set) var records = Records()
  private var sequence: UInt64 = 0
  /// Tells its ids from those of other books.
  private let salt: UInt64
  /// What counts as taken away by an undo.
  var takenBack: Set<EventKey> = []

  init() { salt = 78 }

  /// A book that holds what operations say.
  init(_ lines: String) throws {
    salt = 77
    for line in lines.split(separator: "\n") {
      try carryOut(Operation(line: Array(line.utf8)), OperationPlanner(keepsUIDs: true))
    }
  }

  @discardableResult
  mutating func take(_ file: ForeignFile) -> Outcome {
    var outcome = Outcome()
    let takenBack = takenBack
    var merge = ForeignMerge(file) { takenBack.contains($0) }
    let planner = OperationPlanner(keepsUIDs: true, importer: merge.importer)
    for place in 0..<merge.count {
      do throws(OperationFault) {
        switch try merge.step(at: place, on: records) {
        case .blank: break
        case .passed: outcome.passed += 1
        case .keptDeleted: outcome.keptDeleted += 1
        case .operations(let operations, let main):
          var isNews = false
          for operation in operations where try carryOut(operation, planner) { isNews = true }
          guard isNews else {
            outcome.same += 1
            continue
          }
          if operations[main].verb == .add { outcome.added += 1 } else { outcome.edited += 1 }
        }
      } catch {
        outcome.faults.append(error)
      }
    }
    return outcome
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

  /// Carries out operations, a line each.
  mutating func run(_ lines: String) throws {
    for line in lines.split(separator: "\n") {
      try carryOut(Operation(line: Array(line.utf8)), OperationPlanner(keepsUIDs: true))
    }
  }

  /// What it shows, a line for each record, without ids and what is kept for formats.
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
    ExportContents(records, kinds: kinds)
  }

  func written(_ format: FileFormat, _ settings: ExportSettings = .test) throws -> String {
    String(decoding: try format.write(contents(), settings).bytes, as: UTF8.self)
  }
}

extension ExportSettings {
  /// At noon on 2026-11-20.
  static var test: ExportSettings { ExportSettings(now: 1_795_176_000_000) }
}
