package import Bytes
package import Domain
import Journaling
import ReadModel

/// What happened, the latest first.
package struct History: Sendable {
  package var entries: [HistoryEntry]
  /// How many there are before these.
  package var earlier: Int
  /// The records that the entries are about and those that they name, by the keys that stand there.
  package var documents: [EventKey: Document]
}

/// One event of a record, as people are told of it.
package struct HistoryEntry: Sendable {
  /// The record it is about, or nil if that is of no known kind.
  package var document: Document?
  package var fact: Fact
  /// The log it stands in, and what its device is called.
  package var replica: UniqueID
  package var device: String
  /// Whether it undid an earlier command, or did one again.
  package var undoer: Undoer?
  /// Whether what it said is erased; the fact says nothing then.
  package var isErased: Bool
}

extension Book {
  /// What happened, or happened to one record.
  ///
  /// The events are read once; what became of the records is in the read model.
  package func history(
    of id: UniqueID? = nil, limit: Int? = nil
  ) throws(DaybookError) -> History {
    let model = try view()
    let posting = try remembered(by: model)
    var told = try toldFacts(by: posting)
    if let id {
      guard let members = try document(withID: id)?.members else {
        throw .unknown(id.uuid, kind: nil)
      }
      told.erased = []
      told.facts.removeAll { $0.touched.isDisjoint(with: members) }
    }
    let erasedKeys = Set(told.erased.map(\.key))
    let facts = told.facts + told.erased
    let shown = latest(facts, limit ?? facts.count, posting.causality).map { facts[$0] }
    let documents = try documents(of: shown, model, posting.causality)
    let trust = try trust(by: posting.ledger)
    let entries = shown.map { fact in
      let replica = posting.causality.identity(of: fact.key.log)?.id ?? noLog(of: fact)
      return HistoryEntry(
        document: documents[fact.subject], fact: fact, replica: replica,
        device: trust.names[replica] ?? replica.hex, undoer: told.undoing[fact.key],
        isErased: erasedKeys.contains(fact.key))
    }
    return History(
      entries: entries, earlier: facts.count - shown.count, documents: documents)
  }

  /// The facts that are folded, and blank ones for what is erased, under the log numbers of the read model.
  private func toldFacts(
    by posting: Posting
  ) throws(DaybookError) -> (facts: [Fact], erased: [Fact], undoing: [EventKey: Undoer]) {
    let tree = logTree
    var reading = Posting(causality: posting.causality, ledger: Ledger())
    var facts: [Fact] = []
    var hidden: [Fact] = []
    for log in tree.ordered(journal.logs.keys) {
      try post(log, in: tree, after: 0, to: &reading) { fact in
        guard isFolded(fact, posting) else { return }
        if posting.hides(fact) { hidden.append(fact) } else { facts.append(fact) }
      }
    }
    let erased = try hidden + strippedFacts(by: posting)
    return (facts, erased.map(\.blank), reading.undoing)
  }

  /// Events whose bodies are gone.
  private func strippedFacts(by posting: Posting) throws(DaybookError) -> [Fact] {
    var facts: [Fact] = []
    let ledger = posting.ledger
    for (log, bodies) in ledger.erasing.stripped.sorted(by: { $0.key < $1.key }) {
      guard let last = ledger.folded[log], let first = bodies.keys.min(),
        let number = posting.causality.number(of: log)
      else { continue }
      try forEachFrame(of: log, from: first, upTo: last) { frame in
        for event in frame.events where event.isStripped && event.sequence <= last {
          facts.append(
            Fact(
              key: EventKey(log: number, sequence: event.sequence), time: event.time,
              when: event.when, hash: event.hash.prefix16, body: Body(.edit, .kind(.birthday))))
        }
      }
    }
    return facts
  }

  /// The places of the latest of some facts, in what people are shown; the order in a log breaks ties.
  private func latest(_ facts: [Fact], _ count: Int, _ causality: Causality) -> [Int] {
    var ranks = [Int](repeating: 0, count: causality.logs.count)
    let byID = causality.logs.indices.sorted { causality.logs[$0].id < causality.logs[$1].id }
    for (rank, number) in byID.enumerated() { ranks[number] = rank }
    let places = facts.enumerated().map { place, fact in
      (fact.effectiveTime, ranks[Int(fact.key.log)], fact.key.sequence, place)
    }
    return places.sorted { $0 > $1 }.prefix(count).map(\.3)
  }

  /// So many records are looked up one by one; for more it is quicker to read all.
  private static let worthReadingAll = 4_000

  private func documents(
    of facts: [Fact], _ model: ReadModel, _ causality: Causality
  ) throws(DaybookError) -> [EventKey: Document] {
    var keys = Set(facts.map(\.subject))
    for fact in facts { keys.formUnion(fact.body.writes.compactMap(\.value.reference)) }
    let records = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try keys.count < Self.worthReadingAll
        ? model.hydrate(keys, causality: causality) : model.hydrateAll(causality: causality)
    }
    var documents: [EventKey: Document] = [:]
    for key in keys { documents[key] = records.document(of: key) }
    return documents
  }

  private func noLog(of fact: Fact) -> UniqueID {
    preconditionFailure("a fact of log \(fact.key.log), which nobody has numbered")
  }
}

extension Fact {
  /// The entity it is about.
  fileprivate var subject: EventKey {
    if case .entity(let target) = body.target { target } else { key }
  }

  /// That it happened, and nothing of what it said.
  fileprivate var blank: Fact {
    var blank = self
    blank.body = Body(.edit, .entity(key))
    return blank
  }
}
