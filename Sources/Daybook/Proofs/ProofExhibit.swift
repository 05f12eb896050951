import Bytes
import Crypto
import Journaling

/// The events that a proof contains, by the log or branch that holds them.
struct ProofExhibit {
  /// The events whose bodies are shown.
  private(set) var shown: [UniqueID: Set<UInt64>] = [:]
  /// The events that are only linked.
  private(set) var linked: [UniqueID: Set<UInt64>] = [:]

  var hasShown: Bool { !shown.isEmpty }

  mutating func show(_ event: EventName) { shown[event.log, default: []].insert(event.sequence) }
  mutating func link(_ event: EventName) { linked[event.log, default: []].insert(event.sequence) }

  /// Adds the events that erased the given entities.
  mutating func showErasures(
    of entities: Set<EventName>, _ ledger: Ledger, in tree: LogTree
  ) throws(DaybookError) {
    for erase in ledger.erasing.counting(by: ledger.folded) {
      guard let entity = try tree.resolve(erase)?.entity, entities.contains(entity) else {
        continue
      }
      show(EventName(log: erase.place.log, sequence: erase.place.sequence))
    }
  }

  /// Adds the events by which the devices of the shown events are part of the book, and by which they were revoked.
  mutating func showTrust(_ trust: Trust, _ ledger: Ledger) {
    guard let founder = trust.founder else { return }
    show(EventName(log: founder, sequence: 1))
    let admissions = Self.admissions(trust)
    // A revoked device can revoke others, but the admission that leads to it may no longer count.
    let revocations = ledger.trustEvents.filter { event in
      guard case .revoke = event.verb, let author = trust.keys[event.log] else { return false }
      let isKnown = author == trust.keys[founder] || admissions[author] != nil
      return trust.known.contains(event.log) && isKnown && ledger.remembered[event.place] == nil
    }
    var done: Set<PublicKey> = []
    while true {
      let keys = Set(shown.keys).union(linked.keys).compactMap { trust.keys[$0] }
      guard let key = Set(keys).subtracting(done).min() else { return }
      done.insert(key)
      for admission in admissions[key] ?? [] {
        show(EventName(log: admission.log, sequence: admission.sequence))
      }
      for event in revocations {
        if case .revoke(key, _) = event.verb {
          show(EventName(log: event.log, sequence: event.sequence))
        }
      }
    }
  }

  /// For each key, the admission that leads to it from the founder's key, and the one that gives it its name.
  private static func admissions(_ trust: Trust) -> [PublicKey: [KeyAdmission]] {
    guard let founder = trust.founder.flatMap({ trust.keys[$0] }) else { return [:] }
    var byAuthor: [PublicKey: [KeyAdmission]] = [:]
    for admission in trust.admissions {
      guard let author = trust.keys[admission.log] else { continue }
      byAuthor[author, default: []].append(admission)
    }
    var found: [PublicKey: [KeyAdmission]] = [:]
    var waiting = [founder][...]
    while let author = waiting.popFirst() {
      for admission in byAuthor[author] ?? []
      where admission.key != founder && found[admission.key] == nil {
        found[admission.key] = [admission]
        waiting.append(admission.key)
      }
    }
    // The founder, too, may have been renamed.
    for (key, namings) in Dictionary(grouping: trust.admissions, by: \.key) {
      guard key == founder || found[key] != nil, let last = namings.max(by: Self.isEarlier),
        found[key]?.contains(last) != true
      else { continue }
      found[key, default: []].append(last)
    }
    return found
  }

  private static func isEarlier(_ first: KeyAdmission, than second: KeyAdmission) -> Bool {
    (first.naming, first.sequence, first.log) < (second.naming, second.sequence, second.log)
  }
}
