import Domain
package import Interchange

/// The result of an import, in which lines and records are numbered from 1.
package struct ImportReport: Sendable {
  package var lines = 0
  /// The number of changed records, by the effect on them.
  package var done: [Operation.Verb: Int] = [:]
  /// The changed records, in the order of the source.
  package var taken: [(line: Int, verb: Operation.Verb)] = []
  /// The number of records for which nothing was written.
  package var same = 0
  /// The number of records for which only the field `extra` was written.
  package var keptAsText = 0
  /// The number of lists that were created because a record refers to them.
  package var madeLists = 0
  /// The number of deleted lists that were restored for the same reason.
  package var restoredLists = 0
  /// Fields that were left unchanged, because it is unknown whether the value in the file is the later one.
  package var disputes: [(line: Int, dispute: FieldDispute)] = []
  /// The number of records that have such fields and needed no other change.
  package var unsettled = 0
  /// The number of records that the book has deleted and keeps deleted.
  package var keptDeleted = 0
  /// The number of records that only the book has changed since the file was written.
  ///
  /// A record for which the field `extra` was written is also counted there.
  package var outdated = 0
  /// The number of records that were skipped because they are imported only if the book already has them.
  package var passed = 0
  /// The records that could not be imported, up to a limit.
  package private(set) var skipped: [(line: Int, fault: OperationFault)] = []
  /// The number of other records that could not be imported.
  package private(set) var moreSkipped = 0
  /// Whether the same source had already been imported completely.
  package var wasImported = false
  /// The deleted records and erased events of an earlier import of the same source.
  package var gone = Gone()
  /// The ids of added to-dos, and of those that count as changed because of their dates.
  private var countedTodos: Set<String> = []

  /// The numbers of deleted records and erased events of an import.
  package struct Gone: Sendable {
    package var deletedRecords = 0
    package var erasedEvents = 0
    /// Whether anything was deleted or erased and none of the imported records remains.
    package var isAll = false
  }

  package init() {}
}

extension ImportReport {
  private static let mostFaults = ForeignSettings.Limits().faults

  mutating func skip(_ line: Int, _ fault: OperationFault) {
    guard skipped.count < Self.mostFaults else { return moreSkipped += 1 }
    skipped.append((line, fault))
  }

  /// Replaces the list of skipped records with the list of the given report.
  mutating func takeSkipped(of other: ImportReport) {
    (skipped, moreSkipped) = (other.skipped, other.moreSkipped)
  }

  /// Carries out a step, and counts it by the effect of its main operation.
  mutating func note(
    _ step: ImportStep, line: Int,
    _ carryOut: (Operation) throws(OperationFault) -> Operation.Verb?
  ) throws(OperationFault) {
    switch step {
    case .blank: return
    case .passed: passed += 1
    case .keptDeleted: keptDeleted += 1
    case .outdated(let operation):
      outdated += 1
      if let operation, try carryOut(operation) != nil { keptAsText += 1 }
    case .noted(let operation):
      if try carryOut(operation) == nil { same += 1 } else { keptAsText += 1 }
    case .repeating(let step, let operations):
      let (before, others) = (done, (same: same, kept: keptAsText, outdated: outdated))
      try note(step, line: line, carryOut)
      var (changes, texts) = (false, false)
      for operation in operations where try carryOut(operation) != nil {
        if operation.writesTextOnly { texts = true } else { changes = true }
      }
      // The to-do itself is unchanged, or only text kept with it changed, but an occurrence of it changed.
      guard changes || texts, done == before else { return }
      if changes {
        (same, keptAsText, outdated) = (others.same, others.kept, others.outdated)
        done[.edit, default: 0] += 1
        taken.append((line, .edit))
      } else {
        (same, keptAsText) = (others.same, others.kept + 1)
      }
    case .disputed(let step, let disputes):
      self.disputes += disputes.map { (line, $0) }
      let count = same
      try note(step, line: line, carryOut)
      // The disputed fields differ from the file, so the record does not count as the same.
      if same > count { (same, unsettled) = (count, unsettled + 1) }
    case .operations(let operations, let main):
      var (verb, other): (Operation.Verb?, Operation.Verb?)
      for (place, operation) in operations.enumerated() {
        guard let done = try carryOut(operation) else { continue }
        if place == main { verb = done } else { other = done }
        if place != main, operation.verb == .add {
          if done == .restore { restoredLists += 1 } else { madeLists += 1 }
        }
      }
      guard let verb = verb ?? other else {
        same += 1
        return
      }
      if verb == .edit, operations[main].writesTextOnly { return keptAsText += 1 }
      if let effect = effect(of: operations[main], verb) {
        done[effect, default: 0] += 1
        taken.append((line, effect))
      }
    }
  }
}

extension ImportReport {
  /// The effect to count for the main operation of a step; nil if it is already counted.
  ///
  /// A date of a repeating to-do is not a separate record, so its first change counts as a change of the to-do.
  private mutating func effect(
    of operation: Operation, _ verb: Operation.Verb
  ) -> Operation.Verb? {
    guard operation.kind == .todo, verb == .add else { return verb }
    if let series = operation.seriesID {
      return countedTodos.insert(series).inserted ? .edit : nil
    }
    // A sub-task of a repeating to-do also has dates, but no rule.
    countedTodos.insert(operation.id)
    return verb
  }
}

extension Operation {
  /// The id of the to-do that an added occurrence belongs to.
  fileprivate var seriesID: String? {
    for assignment in assignments where assignment.field == .owner {
      if case .source(let id) = assignment.content { return id }
    }
    return nil
  }

  /// Whether the operation assigns only the field `extra`.
  fileprivate var writesTextOnly: Bool {
    !assignments.isEmpty && assignments.allSatisfy { $0.field == .extra }
  }
}
