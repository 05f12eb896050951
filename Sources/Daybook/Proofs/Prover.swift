package import Bytes
import Crypto
import Domain
import Journaling
package import Proving

/// What a proof is to show.
package struct ProofWish: Sendable {
  /// The record.
  package var id: UniqueID
  /// A field, by its name in JSON or as an option; only events that write it are shown, and those that added or joined
  /// the record.
  package var field: String?
  /// The time up to which events are shown.
  package var until: Int64?
  /// Whether each log is shown as one unbroken chain from its first to its last event in the proof.
  package var isUnbroken: Bool

  package init(
    id: UniqueID, field: String? = nil, until: Int64? = nil, isUnbroken: Bool = false
  ) {
    (self.id, self.field, self.until, self.isUnbroken) = (id, field, until, isUnbroken)
  }
}

/// A proof, and what it proves.
package struct MadeProof: Sendable {
  package var bytes: [UInt8]
  package var report: ProofReport
}

/// Makes proofs for third parties.
package struct Prover {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let historyReader: HistoryReader
  let finder: RecordFinder

  init(_ core: BookCore, _ historyReader: HistoryReader, _ finder: RecordFinder) {
    (store, localDevice) = (core.store, core.localDevice)
    (trustReader, projector) = (core.trustReader, core.projector)
    (self.historyReader, self.finder) = (historyReader, finder)
  }

  /// Makes a proof of the events of a record.
  ///
  /// The proof is checked as a reader would check it.
  ///
  /// - Parameter wish: What to show.
  /// - Returns: The proof.
  /// - Throws: ``DaybookError``, above all ``DaybookError/unprovable(_:)``.
  package func prove(_ wish: ProofWish) throws(DaybookError) -> MadeProof {
    let posting = try projector.posting()
    let tree = store.logTree
    let trust = try trustReader.trust(by: posting.ledger)
    var exhibit = ProofExhibit()
    if let entity = try finder.erasedAdds()[wish.id] {
      exhibit.link(entity)
      try exhibit.showErasures(of: [entity], posting.ledger, in: tree)
    } else {
      try choose(wish, for: &exhibit)
    }
    guard exhibit.hasShown else { throw .unprovable(.noEvent) }
    exhibit.showTrust(trust, posting.ledger)
    let builder = ProofBuilder(
      store: store, localDevice: localDevice, tree: tree, trust: trust, book: store.file.book,
      isUnbroken: wish.isUnbroken)
    let proof = Proof(
      book: store.file.book, record: wish.id, logs: try builder.logs(showing: exhibit))
    let bytes = proof.encode()
    guard bytes.count <= Proof.byteLimit else {
      throw .unprovable(.tooLarge(limit: Proof.byteLimit))
    }
    do throws(ProofFault) {
      return MadeProof(bytes: bytes, report: try ProofCheck.check(bytes))
    } catch {
      throw .unprovable(.faulty(error))
    }
  }

  /// Chooses the events of a record that the proof shows.
  private func choose(_ wish: ProofWish, for exhibit: inout ProofExhibit) throws(DaybookError) {
    let ground = try historyReader.ground(at: wish.until)
    let subject = try historyReader.subject(wish.id, ground)
    let members = Set(subject.document.members)
    let told = try historyReader.toldFacts(by: ground.posting)
    let kinds = wish.field == nil ? [:] : told.kinds
    // An alias whose other record is gone no longer joins anything, so it would show that record for nothing.
    let aliases = told.facts.prefix(told.readable).filter { fact in
      fact.body.verb == .alias && members.isSuperset(of: fact.joined)
    }.map(\.key)
    let entities = members.union(aliases)
    for fact in told.facts.prefix(told.readable) {
      let isPart = entities.contains(fact.subject) || entities.contains(fact.key)
      guard isPart, fact.effectiveTime <= wish.until ?? .max,
        let log = ground.posting.causality.identity(of: fact.key.log)?.id
      else { continue }
      if fact.body.verb == .alias, !entities.contains(fact.key) { continue }
      // The add says of which kind the fields are, and the alias that they are fields of the same record.
      let isNeeded = fact.body.verb == .add || fact.body.verb == .alias
      let isWanted = wish.field.map { fact.writes($0, of: kinds[fact.subject]) } ?? true
      if isNeeded || isWanted {
        exhibit.show(EventName(log: log, sequence: fact.key.sequence))
      }
    }
  }
}

extension Fact {
  fileprivate func writes(_ name: String, of kind: Kind?) -> Bool {
    guard let kind else { return false }
    return body.writes.contains { write in
      Schema.field(write.field, of: kind).map { $0.name == name || $0.optionName == name } ?? false
    }
  }
}
