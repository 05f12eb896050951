import Domain
import Journaling

extension HistoryReader {
  /// Returns the entries of the daybook.
  ///
  /// - Parameter known: The result of the last call, if events have only been added since then. In this case, only the
  ///   new events are read.
  /// - Returns: All entries, by time.
  /// - Throws: ``DaybookError`` if the logs cannot be read.
  package func entries(after known: EntryList? = nil) throws(DaybookError) -> EntryList {
    let posting = try ground(at: nil).posting
    guard let known else {
      let told = try toldFacts(by: posting)
      return EntryList.none.adding(
        Self.entries(of: told, posting.causality), upTo: reading(told, posting.causality))
    }
    let told = try toldFacts(by: posting, after: known.reading)
    return known.adding(
      Self.entries(of: told, posting.causality), upTo: reading(told, posting.causality))
  }

  /// Reads the folded facts of the events added since the last reading, including events that arrived stripped.
  private func toldFacts(
    by posting: Posting, after last: EntryList.Reading
  ) throws(DaybookError) -> ToldFacts {
    let tree = store.logTree
    var reading = Posting(again: posting)
    for (log, run) in last.runs {
      if let number = posting.causality.number(of: log) { reading.runs[number] = [run] }
    }
    var facts: [Fact] = []
    for log in tree.ordered(store.journal.logs.keys) {
      try projector.replayer.post(log, in: tree, after: last.ends[log] ?? 0, to: &reading) { fact in
        if projector.replayer.isFolded(fact, posting) { facts.append(fact) }
      }
    }
    let readable = facts.count
    for fact in try strippedFacts(by: posting, after: last.ends) { facts.append(fact.blank) }
    return ToldFacts(
      facts: facts, readable: readable, undoing: [:], commands: reading.commands,
      runs: reading.runs)
  }

  private func reading(_ told: ToldFacts, _ causality: Causality) -> EntryList.Reading {
    var reading = EntryList.Reading(ends: store.journal.logs.mapValues(\.sequence))
    for (log, runs) in told.runs {
      if let log = causality.identity(of: log)?.id { reading.runs[log] = runs.last }
    }
    return reading
  }

  private static func entries(of told: ToldFacts, _ causality: Causality) -> [EntryList.Entry] {
    var entries: [EntryList.Entry] = []
    for fact in told.facts {
      guard let log = causality.identity(of: fact.key.log) else { continue }
      let entry = told.entry(of: fact, in: log.id)
      if entry != entries.last { entries.append(entry) }
    }
    return entries
  }
}
