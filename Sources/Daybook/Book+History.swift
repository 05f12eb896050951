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
    let causality = fold.posting.causality
    facts.sort { isLater($0, than: $1, causality) }
    let trust = try trust(by: fold.posting.ledger)
    return facts.prefix(limit ?? facts.count).map { fact in
      let replica = causality.identity(of: fact.key.log)?.id ?? noLog(of: fact)
      let target = if case .entity(let target) = fact.body.target { target } else { fact.key }
      return HistoryEntry(
        document: fold.records.document(of: target), fact: fact, replica: replica,
        device: trust.names[replica] ?? replica.hex,
        undoer: fold.posting.undoing[fact.key])
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
