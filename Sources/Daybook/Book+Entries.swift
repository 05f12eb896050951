import Bytes
import Domain
import Journaling

extension Book {
  /// All commands that can be told of.
  ///
  /// - Parameter known: Those that were there when last asked, if all that has happened since is that more was written:
  ///   then only that is read.
  /// - Returns: The commands, by time.
  /// - Throws: ``DaybookError``, when the logs cannot be read.
  package func entries(after known: EntryList? = nil) throws(DaybookError) -> EntryList {
    let posting = try ground(at: nil).posting
    let ends = journal.logs.mapValues(\.sequence)
    guard let known else {
      let told = try toldFacts(by: posting)
      let entries = Self.entries(of: told.facts, posting.causality) { told.command(of: $0) }
      return EntryList(entries, upTo: ends)
    }
    let tree = logTree
    var reading = Posting(causality: posting.causality, ledger: Ledger())
    var facts: [Fact] = []
    for log in tree.ordered(journal.logs.keys) {
      try post(log, in: tree, after: known.ends[log] ?? 0, to: &reading) { fact in
        if isFolded(fact, posting) { facts.append(fact) }
      }
    }
    let told = Told(facts: [], readable: 0, undoing: [:], commands: reading.commands)
    let entries = Self.entries(of: facts, posting.causality) { told.command(of: $0) }
    return known.adding(entries, upTo: ends)
  }

  private static func entries(
    of facts: [Fact], _ causality: Causality, command: (EventKey) -> EventKey
  ) -> [EntryList.Entry] {
    facts.compactMap { fact in
      guard command(fact.key) == fact.key, let log = causality.identity(of: fact.key.log) else {
        return nil
      }
      return EntryList.Entry(replica: log.id, first: fact.key.sequence, time: fact.effectiveTime)
    }
  }
}
