import Bytes
import Domain
import Journaling

extension Posting {
  /// The name of an entity, with the id of its log instead of its number.
  func name(of key: EventKey) -> EventName? {
    causality.identity(of: key.log).map { EventName(log: $0.id, sequence: key.sequence) }
  }

  /// Whether a fact has no effect because its entity is erased.
  ///
  /// An alias is never hidden, because it concerns two entities and may join others.
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

  /// Computes the entities that the folded events erase, including entities that are owned by erased entities.
  ///
  /// `owners` maps each owned entity to its owner, from all held facts.
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

  /// Whether each `erase` event that had an effect still has it.
  ///
  /// An event loses its effect if it is held back, or if its log no longer counts. The log can be lost, so that only the
  /// remembered trust events contain the event.
  func keepsErasures(of before: Ledger) -> Bool {
    if before.folded == ledger.folded, before.erasing.heldBack == ledger.erasing.heldBack {
      return true
    }
    let erases = Set(ledger.erasing.erases(by: ledger.folded).map(\.place.mark))
    return before.erasing.erases(by: before.folded).allSatisfy { erases.contains($0.place.mark) }
  }

  /// Whether all erased entities are already hidden, including those that these facts add.
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
