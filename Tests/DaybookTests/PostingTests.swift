import Bytes
import Crypto
import Domain
import Journaling
import Platform
import SimulatedPlatform
import Testing

@testable import Daybook

/// The resolution of an author's references when the log that they name has forked.
struct PostingTests {
  private static func id(_ number: UInt64) -> UniqueID { UniqueID(high: 9, low: number) }
  private let trunk = id(1)
  private let left = id(2)
  private let right = id(3)

  /// A log of two events with two branches of two more each; every event has its own hash.
  private var tree: LogTree {
    let fork = Fork(trunk: trunk, lastShared: 2)
    let branch = (lineage: Lineage(replica: trunk, fork: fork), end: 4 as UInt64)
    let logs = [
      trunk: (lineage: Lineage(replica: trunk), end: 2), left: branch, right: branch,
    ]
    return LogTree(logs) { log, sequence in UniqueID(high: log.low, low: sequence) }
  }

  private func seen(_ name: Seen.Log, _ log: UniqueID, _ sequence: UInt64) -> Seen {
    Seen(log: name, sequence: sequence, hash: UniqueID(high: log.low, low: sequence))
  }

  private func edit(_ sequence: UInt64, saw seen: [Seen] = []) -> Journaling::Command {
    let list = Write(Field.Todo.list, .reference(EventKey(log: 0, sequence: 1)))
    let body = Body(.edit, .entity(EventKey(log: 0, sequence: sequence)), [list])
    return Command(time: 1, events: [NewEvent(seen: seen, body: body.encode { _ in 0 })])
  }

  /// Posts the log of an author with these edits.
  private func post(
    _ edits: [Journaling::Command]
  ) throws -> (posting: Posting, facts: [Fact], author: UniqueID) {
    let machine = SimulatedMachine(seed: 31).machine
    var journal = try Journal(at: Desk.folder, on: machine)
    let keys = try DeviceKeys(
      signingSeed: machine.dice.bytes(32), agreementSeed: machine.dice.bytes(32))
    let author = try journal.begin(keys, incarnation: Self.id(7), name: "author", at: 1)
    _ = try journal.append(edits, to: author, keys: keys)
    let end = try #require(journal.logs[author])
    var posting = Posting(causality: Causality(), ledger: Ledger())
    var facts: [Fact] = []
    var reader = try journal.reader(of: author)
    while let frame = try reader.read()?.frame {
      try posting.post(
        frame, of: author, frame.firstSequence...frame.lastSequence, table: end.table, in: tree
      ) { facts.append($0) }
    }
    return (posting, facts, author)
  }

  @Test func `Posting: a reference follows the newest entry of its index, also into the trunk`()
    throws
  {
    let (posting, facts, _) = try post([
      edit(3, saw: [seen(.introduced(trunk), left, 3)]), edit(2),
      edit(4, saw: [seen(.index(0), right, 4)]), edit(3),
    ])
    let targets = facts.map { fact -> UniqueID? in
      guard case .entity(let key) = fact.body.target else { return nil }
      return posting.causality.identity(of: key.log)?.id
    }
    #expect(targets == [left, trunk, right, right])
    let lists = facts.map { $0.body.writes.first?.value.reference?.log }
    #expect(lists.allSatisfy { $0 == posting.causality.number(of: trunk) })
    let branches = try [left, right].map { try #require(posting.causality.number(of: $0)) }
    #expect(branches.map { posting.causality.identity(of: $0)?.replica } == [trunk, trunk])
  }

  @Test func `Posting: a seen entry covers the path to its event and no other branch`() throws {
    let (posting, facts, _) = try post([
      edit(1, saw: [seen(.introduced(trunk), left, 3)]),
      edit(1, saw: [seen(.introduced(right), right, 4)]),
    ])
    let past = facts.map { fact in
      [trunk, left, right].flatMap { log in
        (1...4 as ClosedRange<UInt64>).filter { sequence in
          guard let number = posting.causality.number(of: log) else { return false }
          let lowest: UInt64 = log == trunk ? 1 : 3
          return sequence >= lowest && (log != trunk || sequence <= 2)
            && posting.causality.past(
              of: fact.key, includes: EventKey(log: number, sequence: sequence))
        }.map { "\(log.low):\($0)" }
      }
    }
    #expect(past == [["1:1", "1:2", "2:3"], ["1:1", "1:2", "2:3", "3:3", "3:4"]])
  }

  @Test func `Posting: decoding a ledger returns its forks, holes and missing events`() throws {
    var (posting, _, author) = try post([
      edit(3, saw: [seen(.introduced(trunk), left, 3)])
    ])
    posting.ledger.forks = tree.forks
    posting.ledger.holes = [trunk: [1...1, 3...4]]
    posting.ledger.missing = [left: [4...4]]
    let read = try Ledger(decoding: posting.ledger.encode())
    #expect(read.leads == [author: [trunk: left]])
    #expect(read.forks == posting.ledger.forks)
    #expect(read.holes == posting.ledger.holes)
    #expect(read.missing == posting.ledger.missing)
    #expect(throws: CBORError.self) { try Ledger(decoding: [0x86]) }
  }
}
