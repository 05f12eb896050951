import Bytes
import Domain
import Journaling

extension Posting {
  /// The entity by the id of its log.
  func name(of key: EventKey) -> EventName? {
    causality.identity(of: key.log).map { EventName(log: $0.id, sequence: key.sequence) }
  }

  /// Whether a fact counts for nothing, since what it is about is erased.
  ///
  /// An alias is about two entities and stays: it joins what else there is.
  func hides(_ fact: Fact) -> Bool {
    guard !ledger.erasing.hidden.isEmpty else { return false }
    let key: EventKey
    switch (fact.body.verb, fact.body.target) {
    case (.alias, _): return false
    case (_, .entity(let target)): key = target
    case (_, .kind): key = fact.key
    }
    return name(of: key).flatMap { ledger.erasing.hidden[$0] } != nil
  }

  /// Works out what is erased by what is folded, with all that it owns.
  ///
  /// The owners are those of all facts held, by what they own.
  mutating func hideErased(
    owners: [EventKey: EventKey], in tree: LogTree
  ) throws(DaybookError) {
    var hidden = try ledger.erasing.erasures(by: ledger.folded, in: tree)
    if !hidden.isEmpty {
      var owned: [EventName: [EventName]] = [:]
      for (entity, owner) in owners {
        guard let owner = name(of: owner), let entity = name(of: entity) else { continue }
        owned[owner, default: []].append(entity)
      }
      hidden.spread(along: owned)
    }
    ledger.erasing.hidden = hidden
  }

  /// Whether every erasure that is held now was held before, or is new.
  func isHoldingSteady(since before: Ledger) -> Bool {
    let added = ledger.erasing.heldBack.subtracting(before.erasing.heldBack)
    return added.isEmpty
      || added.isDisjoint(with: before.erasing.erases(by: before.folded).map(\.place.mark))
  }

  /// Whether what is erased is all hidden already, with these facts on top.
  func isErasingSteady(with facts: [Fact], in tree: LogTree) throws(DaybookError) -> Bool {
    let hidden = ledger.erasing.hidden
    let base = try ledger.erasing.erasures(by: ledger.folded, in: tree)
    guard base.entities.keys.allSatisfy({ hidden[$0] != nil }), base.supposed == hidden.supposed
    else { return false }
    return facts.allSatisfy { fact in
      guard let owner = fact.owner.flatMap(name(of:)), hidden[owner] != nil else { return true }
      return hides(fact)
    }
  }
}

extension Fact {
  /// The entity that owns the one it adds.
  var owner: EventKey? {
    guard body.verb == .add else { return nil }
    return body.writes.last { $0.field == .owner }?.value.reference
  }
}
