import Bytes
import Crypto

/// The devices of a proof: how their keys became part of the book, and which of them were revoked.
struct ProofDevices {
  private struct Naming {
    var name: String
    var naming: UInt64
    var sequence: UInt64
    var log: UniqueID
  }

  private let chains: [ChainedLog]
  private let founder: Int
  /// For each admitted key, the log with its admission; nil for the founder's key.
  private var sponsors: [[UInt8]: Int?] = [:]
  private var names: [[UInt8]: Naming] = [:]
  private var revocations:
    [[UInt8]: [(by: ProofReport.Revocation, kept: [(log: UniqueID, sequence: UInt64)])]] =
      [:]

  init(_ chains: [ChainedLog], _ bodies: [[UInt64: EventBody]], founder: Int) {
    (self.chains, self.founder) = (chains, founder)
    var admitted: [[UInt8]: [(key: [UInt8], log: Int)]] = [:]
    for (number, chain) in chains.enumerated() {
      for (sequence, body) in bodies[number] {
        switch body {
        case .admit(let key, let name, let naming):
          admitted[chain.key.bytes, default: []].append((key, number))
          let found = Naming(name: name, naming: naming, sequence: sequence, log: chain.replica)
          if let known = names[key],
            (known.naming, known.sequence, known.log) > (naming, sequence, chain.replica)
          {
            continue
          }
          names[key] = found
        case .revoke(let key, let kept):
          let time = Int64(chain.events[sequence]?.time ?? 0)
          let by = ProofReport.Revocation(log: number, sequence: sequence, time: time, kept: 0)
          revocations[key, default: []].append((by, kept))
        default: continue
        }
      }
    }
    var waiting = [chains[founder].key.bytes]
    sponsors[chains[founder].key.bytes] = .some(nil)
    while let author = waiting.popLast() {
      for (key, log) in (admitted[author] ?? []).sorted(by: { $0.log < $1.log })
      where sponsors[key] == nil {
        sponsors[key] = log
        waiting.append(key)
      }
    }
  }

  func isAdmitted(_ key: PublicKey) -> Bool { sponsors[key.bytes] != nil }

  /// The key of a log in the file with these bytes.
  func key(_ bytes: [UInt8]) -> PublicKey? { chains.first { $0.key.bytes == bytes }?.key }

  /// Whether a revocation in the file excludes an event.
  func cuts(_ log: Int, _ sequence: UInt64) -> Bool {
    revocations(of: log).contains { sequence > $0.kept }
  }

  private func revocations(of log: Int) -> [ProofReport.Revocation] {
    let chain = chains[log]
    return (revocations[chain.key.bytes] ?? []).map { revocation in
      var by = revocation.by
      by.kept = revocation.kept.filter { chain.isCalled($0.log) }.map(\.sequence).max() ?? 0
      return by
    }.sorted { ($0.log, $0.sequence) < ($1.log, $1.sequence) }
  }

  /// Describes the logs of the file.
  func logs(knowing bodies: [[UInt64: EventBody]]) -> [ProofReport.Log] {
    chains.indices.map { number in
      let chain = chains[number]
      var name = names[chain.key.bytes]?.name
      if name == nil, case .open(_, _, let own) = bodies[number][1] { name = own }
      let shown = UInt64(bodies[number].count)
      return ProofReport.Log(
        replica: chain.replica, key: chain.key, name: name, isFounder: number == founder,
        admittedBy: sponsors[chain.key.bytes] ?? nil, revocations: revocations(of: number),
        stretches: chain.stretches, shown: shown, hidden: UInt64(chain.linkedCount) - shown,
        isForked: chains.indices.contains { $0 != number && chains[$0].replica == chain.replica })
    }
  }
}
