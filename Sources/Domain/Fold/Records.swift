package import Bytes

/// The fold: all entities and documents, as a function of the set of applied facts.
///
/// Applying a fact joins it with the kept state (see ``Entity``), so facts may be applied in any order and more than
/// once. Documents are computed on demand.
///
/// The pasts of the facts must be noted in ``causality`` before documents are read. For ``apply(_:)`` to return a
/// complete result, the pasts must be noted before the fact is applied.
package struct Records: Sendable {
  package private(set) var joined: JoinedEntities
  private var absorber = FactAbsorber()
  /// The entities that ``apply(_:)`` has reached since ``takeTouched()`` was last called.
  package private(set) var touched: Set<EventKey> = []
  private var ids = IDIndex()
  /// The occurrences of each series, among the facts and entities in this fold.
  private(set) var occurrenceIndex = OccurrenceIndex()

  package init(causality: Causality = Causality()) {
    joined = JoinedEntities(causality: causality)
  }

  // These properties lend their values without copies, because the values are large and read for each entity.

  package var causality: Causality {
    _read { yield joined.causality }
    _modify { yield &joined.causality }
  }

  package var entities: EntityTable { _read { yield joined.entities } }

  /// Reserves space for the state that the given number of events is likely to add.
  package mutating func reserveCapacity(forEvents count: Int) {
    joined.entities.reserveCapacity(forEvents: min(count, Self.mostReserved))
  }

  /// The maximum number of events to reserve space for; beyond this number, growth costs little in comparison.
  private static let mostReserved = 1 << 21

  /// Folds facts, with the pasts of the whole set to which the facts belong.
  package static func fold(_ facts: some Sequence<Fact>, causality: Causality) -> Records {
    var records = Records(causality: causality)
    for fact in facts { records.absorb(fact) }
    return records
  }

  /// Whether the facts must be folded again because dropped marks may matter.
  ///
  /// This happens when an event of a log is first listed as an exception after earlier marks of the log were dropped
  /// for later ones, because an event that saw the later mark need not have seen the earlier mark.
  package var needsRefold: Bool {
    absorber.hasThinned(anyOf: joined.causality.logsWithExceptions)
  }

  /// Returns ``touched``, and empties it.
  package mutating func takeTouched() -> Set<EventKey> {
    defer { touched = [] }
    return touched
  }

  /// The entity with the given id; a linear search unless ``indexIDs()`` was called.
  package func entity(withID id: UniqueID) -> EventKey? {
    ids.entity(withID: id, in: joined.entities)
  }

  /// Builds an index that makes ``entity(withID:)`` fast, for about a twentieth of the cost of a fold.
  package mutating func indexIDs() { ids.build(of: joined.entities) }

  /// Applies one fact; a verb that does not fit its target changes nothing.
  ///
  /// - Returns: The entities whose documents may have changed, with all entities joined with them. A document that
  ///   refers to one of them may also change, because it may show another document or none, or be hidden.
  @discardableResult
  package mutating func apply(_ fact: Fact) -> [EventKey] { apply([fact]) }

  /// Applies the given facts.
  ///
  /// The entities that the facts reach are collected once, because each fact may reach all entities that the other
  /// facts reach.
  ///
  /// - Returns: The entities whose documents may have changed; sorted.
  @discardableResult
  package mutating func apply(_ facts: [Fact]) -> [EventKey] {
    var named: Set<EventKey> = []
    for fact in facts {
      absorb(fact)
      named.formUnion(absorber.changed)
    }
    let reached = joined.reach(of: Array(named))
    touched.formUnion(reached)
    return reached
  }

  /// Applies one fact without collecting the entities that it reaches, for folding many facts.
  package mutating func absorb(_ fact: Fact) {
    absorber.absorb(fact, into: &joined)
    occurrenceIndex.note(fact)
    if ids.isBuilt, fact.body.verb == .add { ids.note(fact.key, of: joined.entities) }
  }

  /// Inserts the kept state of an entity, in place of the facts that led to it.
  package mutating func insert(_ entity: Entity) {
    absorber.insert(entity, into: &joined)
    occurrenceIndex.note(entity)
    if ids.isBuilt { ids.note(entity.key, of: joined.entities) }
  }
}

// Queries for users of the fold.

extension Records {
  /// The document that an entity belongs to, dead or alive; nil if its add is not folded.
  package func document(of key: EventKey) -> Document? { Document.containing(key, in: joined) }

  /// The documents of a kind, dead or alive, sorted by id.
  package func documents(_ kind: Kind) -> [Document] { documents { $0 == kind } }

  /// The documents of the given kinds, dead or alive, sorted by id.
  func documents(where isWanted: (Kind) -> Bool) -> [Document] {
    Document.all(in: joined, where: isWanted)
  }

  /// The entities that other entities name as their series, sorted.
  package var occurrenceOwners: [EventKey] { occurrenceIndex.owners.sorted() }

  /// The shown member of the document that has the given source and kind; nil if there is none.
  package func entity(withSource source: Source, kind: Kind) -> EventKey? {
    joined.shownMember(withSource: source, kind: kind)
  }

  /// Whether users see a document; see ``Document/isShown(in:)``.
  package func isShown(_ document: Document) -> Bool { document.isShown(in: joined) }

  /// The writes behind the shown values of a field; see ``Document/writers(of:in:)``.
  package func writers(of field: Field, in document: Document) -> [[Stored]] {
    document.writers(of: field, in: joined)
  }

  /// The document's fields that have references, with the references as written.
  ///
  /// A ``Document`` shows the document that a reference refers to, which can change without a write to this document.
  package func writtenReferences(of document: Document) -> [Register] {
    document.writtenReferences(in: joined)
  }

  /// The shown values of a living entity from its own writes alone; see ``Entity/plainValues(in:)``.
  package func plainValues(of entity: Entity) -> [(field: Field, value: Value)]? {
    entity.plainValues(in: joined)
  }

  /// The digest of all documents; equal sets of facts have equal digests.
  package func digest() -> Digest { StateDigest(of: documentDigests().map(\.document)).digest }

  /// The contributions of all documents to the state digest, in no particular order.
  package func documentDigests() -> [DocumentDigest] {
    documentDigests(under: joined.entities.keys)
  }

  /// The contributions of the given documents to the state digest, given the entities under which they are shown.
  ///
  /// Keys under which no document is shown are skipped.
  package func documentDigests(under keys: some Sequence<EventKey>) -> [DocumentDigest] {
    var digester = DocumentDigester()
    var digests: [DocumentDigest] = []
    for key in keys {
      guard let entity = joined.entities[key],
        let digest = digester.digest(under: entity, in: joined)
      else { continue }
      digests.append(digest)
    }
    return digests
  }

  /// The member under which the document of an entity is shown; nil if the add of the entity is not folded.
  package func shownMember(of key: EventKey) -> EventKey? { joined.shownMember(of: key) }

  /// The member under which the document of an entity is shown, and whether the document is alive.
  ///
  /// - Returns: nil if the add of the entity is not folded.
  package func home(of entity: borrowing Entity) -> (shown: EventKey, isAlive: Bool)? {
    joined.home(of: entity)
  }

  /// The living documents that live aliases join with an entity, each with the events that made the join.
  ///
  /// A document is identified by the member under which it is shown.
  package func homes(joinedWith key: EventKey) -> [(shown: EventKey, events: [EventKey])] {
    joined.homes(joinedWith: key)
  }
}
