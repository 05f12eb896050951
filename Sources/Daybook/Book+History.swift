package import Bytes
package import Domain
import Journaling

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
  /// What happened, or happened to one record, the latest first.
  package func history(
    of id: UniqueID? = nil, limit: Int? = nil
  ) throws(DaybookError) -> [HistoryEntry] {
    var facts: [Fact] = []
    let fold = try foldAll { fact, _ in
      facts.append(fact)
      return true
    }
    if let id {
      guard let key = fold.records.entity(withID: id),
        let members = fold.records.document(of: key)?.members
      else { throw .unknown(id.uuid, kind: nil) }
      facts.removeAll { $0.touched.isDisjoint(with: members) }
    }
    let erased = id == nil ? try erasedFacts(of: fold) : []
    let erasedKeys = Set(erased.map(\.key))
    facts += erased
    let causality = fold.posting.causality
    facts.sort { isLater($0, than: $1, causality) }
    let trust = try trust(by: fold.posting.ledger)
    return facts.prefix(limit ?? facts.count).map { fact in
      let replica = causality.identity(of: fact.key.log)?.id ?? noLog(of: fact)
      let target = if case .entity(let target) = fact.body.target { target } else { fact.key }
      return HistoryEntry(
        document: fold.records.document(of: target), fact: fact, replica: replica,
        device: trust.names[replica] ?? replica.hex,
        undoer: fold.posting.undoing[fact.key],
        isErased: erasedKeys.contains(fact.key))
    }
  }

  /// The events of what is erased, with nothing in them: those whose bodies are gone, and those that only
  /// count for nothing.
  private func erasedFacts(of fold: Fold) throws(DaybookError) -> [Fact] {
    var facts = fold.hidden
    let ledger = fold.posting.ledger
    for (log, bodies) in ledger.erasing.stripped.sorted(by: { $0.key < $1.key }) {
      guard let last = ledger.folded[log], let first = bodies.keys.min(),
        let number = fold.posting.causality.number(of: log)
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
    return facts.map { fact in
      var blank = fact
      blank.body = Body(.edit, .entity(fact.key))
      return blank
    }
  }

  private func noLog(of fact: Fact) -> UniqueID {
    preconditionFailure("a fact of log \(fact.key.log), which nobody has numbered")
  }

  /// Later in what people are shown; the order in a log breaks ties.
  private func isLater(_ left: Fact, than right: Fact, _ causality: Causality) -> Bool {
    if left.effectiveTime != right.effectiveTime { return left.effectiveTime > right.effectiveTime }
    let (one, other) = (causality.identity(of: left.key.log), causality.identity(of: right.key.log))
    if let one, let other, one.id != other.id { return one.id > other.id }
    return left.key.sequence > right.key.sequence
  }
}
