import Bytes
import Crypto

/// The steps by which ``Trust`` is found.
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
    for event in input.events { take(event) }
    for (branch, fork) in input.forks { branches[fork.trunk, default: []].append(branch) }
    // A branch has its trunk's first event, unless it forks before even that.
    for trunk in input.forks.values.map(\.trunk) where input.forks[trunk] == nil {
      inherit(from: trunk)
    }
    for (log, key) in keys { logsOfKey[key, default: []].append(log) }
  }

  private mutating func take(_ event: TrustEvent) {
    switch event.verb {
    case .open(let opening):
      guard event.sequence == 1 else { return }
      keys[event.log] = opening.publicKey
      ownNames[event.log] = opening.name
    case .admit(let key, let name, let naming, let route):
      let admission = KeyAdmission(
        log: event.log, sequence: event.sequence, key: key, name: name, naming: naming,
        route: route)
      admissions[event.log, default: []].append(admission)
      admissionsOfKey[key, default: []].append(admission)
    case .revoke(let key, let kept):
      revocations.append(
        Revocation(log: event.log, sequence: event.sequence, key: key, kept: kept))
    case .retire(let left):
      retirements.append(
        Retirement(
          log: event.log, sequence: event.sequence, left: left.log, last: left.sequence))
    case .erase: return
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

  /// Leaves out of the book whom the founder's log revokes, keeping nothing, before it admits anybody.
  ///
  /// So a book can be begun over logs of another one: in those some may have admitted the very devices
  /// that the new book is to be rid of, and else these would be known by that, and their revokes hold.
  mutating func strike(by founder: UniqueID) {
    let firstAdmission = admissions[founder]?.map(\.sequence).min() ?? .max
    for revocation in revocations
    where revocation.log == founder && revocation.sequence < firstAdmission
      && revocation.kept.isEmpty
    {
      struck.insert(revocation.key)
    }
  }

  func logs(of keys: Set<PublicKey>) -> Set<UniqueID> {
    var logs: Set<UniqueID> = []
    for key in keys { logs.formUnion(logsOfKey[key] ?? []) }
    return logs
  }

  /// The keys that can be reached from the founder's by the admits up to each log's limit.
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

  /// Applies the revokes of the given logs, and returns the keys they name.
  mutating func cut(by authors: Set<UniqueID>) -> Set<PublicKey> {
    var revoked: Set<PublicKey> = []
    for revocation in revocations where authors.contains(revocation.log) {
      revoked.insert(revocation.key)
      let kept = ends(of: revocation.kept)
      for log in logsOfKey[revocation.key] ?? [] {
        let end = kept[log] ?? 0
        let last = end == 0 ? 0 : input.commandEnd(log, end)
        cuts[log] = min(cuts[log] ?? .max, last)
      }
    }
    return revoked
  }

  /// The last event that one revoke keeps of each log.
  ///
  /// Who revoked may have seen one branch only and named it as the log itself; so a landmark is
  /// looked for in the branches too, and whoever keeps a branch keeps the way to it.
  private func ends(of kept: [Landmark]) -> [UniqueID: UInt64] {
    var ends: [UniqueID: UInt64] = [:]
    for landmark in kept {
      guard var log = holder(of: landmark) else { continue }
      ends[log] = max(ends[log] ?? 0, landmark.sequence)
      while let fork = input.forks[log] {
        ends[fork.trunk] = max(ends[fork.trunk] ?? 0, fork.lastShared)
        log = fork.trunk
      }
    }
    return ends
  }

  private func holder(of landmark: Landmark) -> UniqueID? {
    var waiting = [landmark.log]
    while let log = waiting.popLast() {
      if input.hash(log, landmark.sequence) == landmark.hash { return log }
      waiting += branches[log] ?? []
    }
    return nil
  }

  /// The admits of admitted logs, up to the last event of each that counts, by log and sequence.
  func admissions(within admitted: [UniqueID: UInt64]) -> [KeyAdmission] {
    admissions.flatMap { log, admissions in
      guard let last = admitted[log] else { return [KeyAdmission]() }
      return admissions.filter { $0.sequence <= last && !struck.contains($0.key) }
    }.sorted { ($0.log, $0.sequence) < ($1.log, $1.sequence) }
  }

  /// The retirements by which one key follows another: a log of the new key says so, and a log of the old one has
  /// admitted the new as its next key, unless it is the founder's that speaks.
  ///
  /// That the old key let in the new one is not enough: every device that was invited could then pass for its inviter.
  func successions(
    founder: UniqueID, counts: (_ log: UniqueID, _ sequence: UInt64) -> Bool
  ) -> [KeyRetirement] {
    // Any number of events may say the same of the same keys.
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
}
