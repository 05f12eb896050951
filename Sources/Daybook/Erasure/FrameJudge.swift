package import Bytes
import Crypto
package import Journaling
import Syncing

/// Decides whether frames outside the logs contain erased bodies, or lack bodies for an unknown reason.
package final class FrameJudge {
  let store: LogStore
  let trustReader: TrustReader
  let projector: Projector
  /// The state for judging frames, cached until frames are stored or the sync ends.
  var erasureJudge: ErasureJudge?

  init(store: LogStore, trustReader: TrustReader, projector: Projector) {
    self.store = store
    self.trustReader = trustReader
    self.projector = projector
  }

  /// Judges a frame of a replica's log, wherever the frame is stored.
  package func verdict(
    on frame: Frame, of replica: UniqueID
  ) throws(DaybookError) -> ErasureVerdict {
    let judge = try currentJudge()
    let strand = try wrap(DaybookError.journal) { () throws(JournalError) in
      try store.journal.strand(holding: frame, of: replica)
    }
    let found = frame.stripping(judge.erasures, in: store.journal.scope(of: frame, in: strand))
    let unexplained = judge.ledger.unexplained(found.standing, by: judge.admitted)
    // The user may still refuse the erasure, and the body would then be missing.
    let isHeld = found.standing.values.contains { judge.ledger.heldBack.contains($0.mark) }
    let gone = Set(found.bodies.keys).union(stripped(of: replica, by: judge))
    let salted = Set(gone.map(Chain.block(of:)))
    return ErasureVerdict(
      hasUnexplained: !unexplained.isEmpty || isHeld,
      hasBodyToStrip: !found.bodies.isEmpty || !frame.seededBlocks.isDisjoint(with: salted))
  }

  /// The events of a replica, on all branches, whose bodies are missing here.
  private func stripped(of replica: UniqueID, by judge: ErasureJudge) -> [UInt64] {
    judge.ledger.stripped.filter { store.journal.lineage(of: $0.key).replica == replica }
      .flatMap(\.value.keys)
  }

  /// The events of a replica, on all branches, whose bodies are missing here although no `erase` event that counts
  /// removed them.
  private func lost(of replica: UniqueID, by judge: ErasureJudge) -> [UInt64] {
    judge.ledger.stripped.filter { store.journal.lineage(of: $0.key).replica == replica }
      .flatMap { judge.ledger.unexplained($0.value, by: judge.admitted) }
  }

  /// The cached state or, if there is none, a new state, which the caller may cache.
  private func currentJudge() throws(DaybookError) -> ErasureJudge {
    if let erasureJudge { return erasureJudge }
    let ledger = try projector.posting().ledger
    let admitted = try trustReader.trust(by: ledger).admitted
    return ErasureJudge(
      ledger: ledger.erasing, admitted: admitted,
      erasures: try ledger.erasing.erasures(by: admitted, in: store.logTree))
  }

  func hasErased(from replica: UniqueID) -> Bool {
    // An `erase` event that has just arrived has not stripped anything yet.
    guard !store.journal.erasures.isEmpty else { return false }
    do throws(DaybookError) {
      let judge = try currentJudge()
      erasureJudge = judge
      return !stripped(of: replica, by: judge).isEmpty
    } catch {
      // The files stay unchanged until the next sync.
      return false
    }
  }

  func verdict(on bytes: [UInt8], of replica: UniqueID) -> Verdict {
    var chain = Chain()
    do {
      let judge = try currentJudge()
      erasureJudge = judge
      let frame = try Frame.decode(bytes.span, at: 0, &chain)
      let verdict = try verdict(on: frame, of: replica)
      if verdict.hasUnexplained { return .hasUnexplained }
      return verdict.hasBodyToStrip ? .hasBodyToStrip : .clean
    } catch {
      // A frame that cannot be judged is left alone.
      return .hasUnexplained
    }
  }

  func hasBodiesBeyond(_ bytes: [UInt8], of replica: UniqueID) -> Bool {
    var chain = Chain()
    do {
      let frame = try Frame.decode(bytes.span, at: 0, &chain)
      guard frame.events.contains(where: \.isStripped) else { return false }
      let judge = try currentJudge()
      erasureJudge = judge
      let gone = frame.events.compactMap { event in
        frame.strippedBody(of: event).map { (event.sequence, $0.erase) }
      }
      let unexplained = judge.ledger.unexplained(
        Dictionary(uniqueKeysWithValues: gone), by: judge.admitted)
      return !unexplained.subtracting(lost(of: replica, by: judge)).isEmpty
        && !isDamaged(replica)
    } catch {
      // A frame that cannot be judged is not reported.
      return false
    }
  }

  /// Identifies the erasures that count, the missing bodies, and the logs in which names are resolved; nil if they are
  /// not known.
  func erasureState(of replica: UniqueID) -> UniqueID? {
    let judge: ErasureJudge
    do throws(DaybookError) { judge = try currentJudge() } catch { return nil }
    erasureJudge = judge
    var writer = CBORWriter()
    writer.uniqueID(judge.state)
    writer.boolean(isDamaged(replica))
    for log in store.journal.logs.keys.sorted() {
      writer.uniqueID(log)
      writer.uniqueID(store.journal.lineage(of: log).replica)
    }
    return SHA256.digest(of: writer.bytes).prefix16
  }

  /// Whether the logs of a replica have holes here, which may contain the events in question.
  private func isDamaged(_ replica: UniqueID) -> Bool {
    store.journal.logs.keys.contains { log in
      store.journal.lineage(of: log).replica == replica && !store.journal.holes(in: log).isEmpty
    }
  }
}

/// The result of judging a frame outside the logs.
package struct ErasureVerdict: Hashable, Sendable {
  /// Whether a body is missing, and the `erase` event that removed it is unknown here, does not count, or is held.
  package var hasUnexplained: Bool
  /// Whether the frame contains a body that is erased here, or the seed of a block with such a body.
  package var hasBodyToStrip: Bool

  package var isClean: Bool { !hasUnexplained && !hasBodyToStrip }
}

/// The state for judging frames outside the logs.
final class ErasureJudge {
  let ledger: ErasureLedger
  let admitted: [UniqueID: UInt64]
  let erasures: Erasures
  /// Identifies the ledger, and which of its `erase` events count.
  ///
  /// Only directory peers ask for this id, and computing it takes longer than reaching a verdict.
  private(set) lazy var state = makeState()

  init(ledger: ErasureLedger, admitted: [UniqueID: UInt64], erasures: Erasures) {
    (self.ledger, self.admitted, self.erasures) = (ledger, admitted, erasures)
  }

  private func makeState() -> UniqueID {
    var writer = CBORWriter()
    ledger.encode(to: &writer)
    erasures.encode(to: &writer)
    for erase in ledger.counting(by: admitted) {
      writer.unsigned(erase.place.sequence)
      writer.uniqueID(erase.place.hash)
    }
    return SHA256.digest(of: writer.bytes).prefix16
  }
}
