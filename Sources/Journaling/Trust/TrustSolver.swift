import Bytes
import Crypto

/// The steps that compute ``Trust``.
struct TrustSolver {
  private struct Revocation {
    var log: UniqueID
    var sequence: UInt64
    var key: PublicKey
    var kept: [Landmark]
  }

  private struct Retirement {
    var log: UniqueID
    var sequence: UInt64
    var left: UniqueID
    var last: UInt64
  }

  private let input: TrustInput
  private(set) var keys: [UniqueID: PublicKey] = [:]
  private(set) var ownNames: [UniqueID: String] = [:]
  private(set) var cuts: [UniqueID: UInt64] = [:]
  private var logsOfKey: [PublicKey: [UniqueID]] = [:]
  private var admissions: [UniqueID: [KeyAdmission]] = [:]
  private var admissionsOfKey: [PublicKey: [KeyAdmission]] = [:]
  private var revocations: [Revocation] = []
  private var retirements: [Retirement] = []
  private var struck: Set<PublicKey> = []
  private var branches: [UniqueID: [UniqueID]] = [:]

  init(_ input: TrustInput) {
    self.input = input
    takeOpenings()
    for event in input.events { take(event) }
    for (branch, fork) in input.forks { branches[fork.trunk, default: []].append(branch) }
    // A branch shares the first event of its trunk, unless it begins at that event.
    for trunk in branches.keys where input.forks[trunk] == nil {
      inherit(from: trunk)
    }
    for (log, key) in keys { logsOfKey[key, default: []].append(log) }
  }

  /// Takes the key and the name of each log from its first event.
  ///
  /// A log that was lost and then received with a different first event has two first events. The one that is held
  /// applies or, if none is held, the one with the lowest hash.
  private mutating func takeOpenings() {
    var taken: [UniqueID: Landmark] = [:]
    for event in input.events where event.sequence == 1 {
      guard case .open(let opening) = event.verb else { continue }
      if let other = taken[event.log], rank(other) < rank(event.place) { continue }
      taken[event.log] = event.place
      keys[event.log] = opening.publicKey
      ownNames[event.log] = opening.name
    }
  }

  private func rank(_ place: Landmark) -> (Int, UniqueID) {
    (input.lost.contains(place) ? 1 : 0, place.hash)
  }

  private mutating func take(_ event: TrustEvent) {
    switch event.verb {
    case .admit(let key, let name, let naming, let route):
      let admission = KeyAdmission(
        place: event.place, key: key, name: name, naming: naming, route: route)
      admissions[event.log, default: []].append(admission)
      admissionsOfKey[key, default: []].append(admission)
    case .revoke(let key, let kept):
      revocations.append(
        Revocation(log: event.log, sequence: event.sequence, key: key, kept: kept))
    case .retire(let left):
      retirements.append(
        Retirement(
          log: event.log, sequence: event.sequence, left: left.log, last: left.sequence))
    case .open, .erase: return
    }
  }

  private mutating func inherit(from trunk: UniqueID) {
    var waiting = [trunk]
    while let log = waiting.popLast() {
      for branch in branches[log] ?? [] {
        if keys[branch] == nil { keys[branch] = keys[log] }
        if ownNames[branch] == nil { ownNames[branch] = ownNames[log] }
        waiting.append(branch)
      }
    }
  }

  /// Excludes the keys that the founder's log revokes before its first admission, if the revocation keeps none of their
  /// events.
  ///
  /// This makes it possible to begin a new book with the logs of an older book. Admissions in those logs may name the
  /// devices that the new book is meant to exclude. Without this step, these devices would be known, and their
  /// revocations would take effect.
  ///
  /// If the other branches are lost, the founder's log contains the events of one of its branches. Even then, the
  /// events of that branch do not count here.
  mutating func strike(by founder: UniqueID) {
    let firstAdmission = admissions[founder]?.map(\.sequence).min() ?? .max
    let end = branches[founder]?.compactMap { input.forks[$0]?.lastShared }.min() ?? .max
    for revocation in revocations
    where revocation.log == founder && revocation.sequence < firstAdmission
      && revocation.sequence <= end && revocation.kept.isEmpty
    {
      struck.insert(revocation.key)
    }
  }

  func logs(of keys: Set<PublicKey>) -> Set<UniqueID> {
    var logs: Set<UniqueID> = []
    for key in keys { logs.formUnion(logsOfKey[key] ?? []) }
    return logs
  }

  /// The keys that can be reached from the founder's key by admissions up to the limit of each log.
  func reach(
    from founderKey: PublicKey, upTo limit: (_ log: UniqueID) -> UInt64
  ) -> Set<PublicKey> {
    var reached: Set<PublicKey> = [founderKey]
    var waiting = [founderKey]
    while let key = waiting.popLast() {
      for log in logsOfKey[key] ?? [] {
        let last = limit(log)
        for admission in admissions[log] ?? []
        where admission.sequence <= last && !struck.contains(admission.key) {
          if reached.insert(admission.key).inserted { waiting.append(admission.key) }
        }
      }
    }
    return reached
  }

  /// Applies the revocations in the given logs, and returns the revoked keys.
  mutating func cut(by authors: Set<UniqueID>) -> Set<PublicKey> {
    var revoked: Set<PublicKey> = []
    for revocation in revocations where authors.contains(revocation.log) {
      revoked.insert(revocation.key)
      let kept = ends(of: revocation.kept)
      for log in logsOfKey[revocation.key] ?? [] {
        cuts[log] = min(cuts[log] ?? .max, kept[log] ?? 0)
      }
    }
    return revoked
  }

  /// The last event of each log that one revocation keeps, which is always the end of a command.
  ///
  /// Keeping a branch also keeps the events before it in its trunks.
  private func ends(of kept: [Landmark]) -> [UniqueID: UInt64] {
    var ends: [UniqueID: UInt64] = [:]
    for end in kept.compactMap({ input.keptEnds[$0.mark] }) {
      var (log, last) = (end.log, end.sequence)
      while let fork = input.forks[log] {
        // If the branch has no whole command up to the kept event, only the trunk is kept.
        if last > fork.lastShared { ends[log] = max(ends[log] ?? 0, last) }
        (log, last) = (fork.trunk, fork.lastShared)
      }
      ends[log] = max(ends[log] ?? 0, last)
    }
    return ends
  }

  /// The admissions in admitted logs, each up to its last event that takes effect, ordered by log and sequence.
  func admissions(within admitted: [UniqueID: UInt64]) -> [KeyAdmission] {
    admissions.flatMap { log, admissions in
      guard let last = admitted[log] else { return [KeyAdmission]() }
      return admissions.filter { $0.sequence <= last && !struck.contains($0.key) }
    }.sorted { ($0.log, $0.sequence, $0.place.hash) < ($1.log, $1.sequence, $1.place.hash) }
  }

  /// The retirements that make one key the successor of another.
  ///
  /// A log of the new key must contain the `retire` event, and a log of the old key must have admitted the new key as
  /// its next key. The second condition does not apply to the founder's log. An ordinary admission by the old key is
  /// not enough, because otherwise every invited device could claim to be the successor of the device that invited it.
  ///
  /// Only the `retire` event has to count. The admission may be after a cut, because another device may have revoked
  /// the old key before it received the new key. An admission after a cut admits no device, so a device whose events
  /// count has to admit the new key. Without such an admission, the `retire` event does not count either.
  func successions(
    founder: UniqueID, counts: (_ log: UniqueID, _ sequence: UInt64) -> Bool
  ) -> [KeyRetirement] {
    // Several events may name the same keys, so the result is kept for each new key.
    var admitters: [PublicKey: Set<PublicKey>] = [:]
    var found: [KeyRetirement] = []
    for retirement in retirements where counts(retirement.log, retirement.sequence) {
      guard let old = keys[retirement.left], let new = keys[retirement.log], old != new else {
        continue
      }
      let known =
        admitters[new]
        ?? Set(
          (admissionsOfKey[new] ?? []).lazy.filter { $0.route == .newKey }
            .compactMap { keys[$0.log] })
      admitters[new] = known
      guard known.contains(old) || retirement.log == founder else { continue }
      found.append(
        KeyRetirement(old: old, new: new, left: retirement.left, last: retirement.last))
    }
    return found
  }

  /// The keys that are neither admitted nor revoked and that revoked keys have let in, directly or through others.
  ///
  /// None of these admissions counts, because each admission is after a cut or was made by such a key.
  func sponsors(
    outside admitted: Set<PublicKey>, revoked: Set<PublicKey>
  ) -> [PublicKey: KeySponsor] {
    var found: [PublicKey: KeySponsor] = [:]
    let authors = revoked.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    for author in authors {
      for admission in logsOfKey[author, default: []].flatMap({ admissions[$0] ?? [] })
      where !admitted.contains(admission.key) && !revoked.contains(admission.key) {
        let link: KeySponsor.Link = admission.route == .newKey ? .nextKey : .admission
        if let other = found[admission.key], other.link.rawValue <= link.rawValue { continue }
        found[admission.key] = KeySponsor(key: author, link: link)
      }
    }
    var waiting = found.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    while let author = waiting.popLast() {
      guard let sponsor = found[author] else { continue }
      for admission in logsOfKey[author, default: []].flatMap({ admissions[$0] ?? [] })
      where !admitted.contains(admission.key) && !revoked.contains(admission.key) {
        guard found[admission.key] == nil else { continue }
        found[admission.key] = KeySponsor(key: sponsor.key, link: .chain)
        waiting.append(admission.key)
      }
    }
    return found
  }
}
