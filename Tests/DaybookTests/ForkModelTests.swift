import Bytes
import Domain
import Foundation
import Journaling
import Testing

@testable import Daybook

/// All histories of machines, one of which was copied, up to the given number of commands.
struct ForkModelTests {
  /// Five commands take seconds; `FORK_COMMANDS=6` repeats the check made before the format was frozen.
  private static let count =
    ProcessInfo.processInfo.environment["FORK_COMMANDS"].flatMap { Int($0) } ?? 5

  private static func id(of name: ForkModel.Name) -> UniqueID {
    switch name {
    case .replica(let replica): UniqueID(high: UInt64(replica.rawValue), low: 1)
    case .branch(let key): UniqueID(high: key, low: 2)
    }
  }

  private static func hash(of last: Int?, of name: ForkModel.Name, in model: ForkModel) -> UniqueID
  {
    guard let last else { return UniqueID(high: id(of: name).high, low: 4) }
    return UniqueID(high: model.commands[last].key, low: 3)
  }

  /// The pasts of all held commands, computed by `LogTree` and `Causality`.
  private static func pasts(
    in model: ForkModel, holding view: ForkModel.Set
  ) throws -> [Int: ForkModel.Set] {
    let logs = model.logs(in: view)
    var hashes: [UniqueID: [UInt64: UniqueID]] = [:]
    var shown: [UniqueID: (lineage: Lineage, end: UInt64)] = [:]
    for log in logs {
      let fork = log.trunk.map { Fork(trunk: id(of: $0), lastShared: log.before) }
      let replica = id(of: .replica(log.replica))
      shown[id(of: log.name)] = (Lineage(replica: replica, fork: fork), log.end)
      if log.trunk == nil { hashes[id(of: log.name)] = [1: hash(of: nil, of: log.name, in: model)] }
      for command in log.commands {
        hashes[id(of: log.name), default: [:]][model.commands[command].sequence] =
          hash(of: command, of: log.name, in: model)
      }
    }
    let tree = LogTree(shown) { [hashes] log, sequence in hashes[log]?[sequence] }
    var posting = Posting(causality: Causality(), ledger: Ledger())
    var keys: [Int: EventKey] = [:]
    for name in tree.ordered(shown.keys) {
      guard let log = logs.first(where: { id(of: $0.name) == name }) else { continue }
      let number = posting.number(of: name, in: tree)
      for command in log.commands {
        let (sequence, seen) = (model.commands[command].sequence, model.commands[command].seen)
        keys[command] = EventKey(log: number, sequence: sequence)
        for seen in seen {
          let landmark = Landmark(
            log: id(of: seen.name), sequence: seen.last.map { model.commands[$0].sequence } ?? 1,
            hash: hash(of: seen.last, of: seen.name, in: model))
          for reach in try tree.resolve(landmark).reaches {
            posting.causality.note(
              EventKey(log: number, sequence: sequence - 1),
              saw: posting.number(of: reach.log, in: tree), upTo: reach.upTo)
          }
        }
      }
    }
    return keys.mapValues { key in
      ForkModel.Set(
        keys.filter { posting.causality.past(of: key, includes: $0.value) }.keys)
    }
  }

  @Test func `Fork model: causality equals the model's and ignores unseen commands`() throws {
    var forked = 0
    try ForkModel.all(upTo: Self.count) { model in
      guard Self.forks(in: model, holding: model.all) > 0 else { return }
      forked += 1
      let pasts = try Self.pasts(in: model, holding: model.all)
      for (command, past) in pasts {
        #expect(past == model.past(of: command, in: model.all))
        // The past of a command contains only commands that its machine held when it was written.
        #expect(past.isSubset(of: model.commands[command].view))
      }
      for last in model.commands.indices
      where !model.commands.contains(where: { $0.view.has(last) }) {
        let view = model.all.subtracting(.only(last))
        let before = try Self.pasts(in: model, holding: view)
        for (command, past) in before { #expect(past == pasts[command]) }
      }
    }
    // Most models have no fork.
    #expect(forked > 1_000)
  }

  @Test func `Fork model: causality equals the model's after interrupted syncs`() throws {
    var (parts, unheld) = (0, 0)
    try ForkModel.all(upTo: 4) { model in
      guard Self.forks(in: model, holding: model.all) > 0 else { return }
      var pasts: [ForkModel.Set: [Int: ForkModel.Set]] = [:]
      for part in model.parts {
        parts += 1
        if !model.isClosed(part) { unheld += 1 }
        pasts[part] = try Self.pasts(in: model, holding: part)
        for (command, past) in pasts[part] ?? [:] {
          #expect(past == model.past(of: command, in: part))
        }
      }
      for (part, more) in model.partsGrown() {
        guard Self.forks(in: model, holding: part) == Self.forks(in: model, holding: more) else {
          continue
        }
        for (command, past) in pasts[part] ?? [:] {
          #expect(pasts[more]?[command]?.isSuperset(of: past) ?? false)
        }
      }
    }
    #expect(parts > 1_000)
    #expect(unheld > 300)
  }

  private static func forks(in model: ForkModel, holding view: ForkModel.Set) -> Int {
    model.logs(in: view).filter(\.isForked).count
  }
}
