import Bytes
import Journaling
import TestDice
import Testing

@testable import Daybook

/// Every name of an event in forked logs, compared with the real order of the events.
struct LogTreeTests {
  @Test func `Log tree: without forks a name resolves to itself without a hash lookup`() throws {
    let tree = LogTree([:]) { _, _ throws(DaybookError) in
      Issue.record("a hash was asked for")
      return nil
    }
    let log = UniqueID(high: 1, low: 1)
    let seen = Landmark(log: log, sequence: 7, hash: log)
    let (end, reaches) = try tree.resolve(seen)
    #expect(end == log)
    #expect(reaches == [LogTree.Reach(log: log, upTo: 7)])
    #expect(tree.path(of: log) == [log])
    #expect(tree.subtree(of: log) == [log])
    #expect(tree.replica(of: log) == log)
  }

  @Test func `Log tree: trunks precede their branches, and every branch knows its replica`() {
    for seed in 0..<60 as Range<UInt64> {
      var growth = Growth(seed: seed)
      let tree = growth.held().tree
      let order = tree.ordered(tree.subtree(of: growth.replica))
      for log in order {
        #expect(tree.path(of: log).first == growth.replica)
        #expect(tree.replica(of: log) == growth.replica)
        let places = tree.path(of: log).map { order.firstIndex(of: $0) ?? -1 }
        #expect(places == places.sorted())
      }
    }
  }

  @Test func `Log tree: a held event resolves to the path to it, under any log id`() throws {
    for seed in 0..<200 as Range<UInt64> {
      var growth = Growth(seed: seed)
      let held = growth.held()
      for event in held.events {
        let (log, _) = try #require(held.place(of: event))
        for id in held.tree.path(of: log) {
          let seen = growth.landmark(event, under: id)
          let (end, reaches) = try held.tree.resolve(seen)
          #expect(end == log || !held.tree.isForked(id))
          #expect(held.covered(by: reaches) == Set(growth.past(of: event)), "seed \(seed)")
        }
      }
    }
  }

  @Test func `Log tree: an event that is not held resolves to what all branches share`() throws {
    var unheld = 0
    for seed in 0..<200 as Range<UInt64> {
      var growth = Growth(seed: seed)
      let held = growth.held()
      for event in growth.events.indices where !held.events.contains(event) {
        let seen = growth.landmark(event, under: growth.replica)
        let covered = held.covered(by: try held.tree.resolve(seen).reaches)
        let shared = held.leaves.map { Set(growth.past(of: $0)) }
          .reduce(Set(held.events)) { $0.intersection($1) }
        let sequence = growth.events[event].sequence
        #expect(covered == shared.filter { growth.events[$0].sequence <= sequence })
        unheld += 1
      }
    }
    #expect(unheld > 100)
  }

  @Test func `Log tree: a sequence number is found on the path to the end of a log`() throws {
    for seed in 0..<60 as Range<UInt64> {
      var growth = Growth(seed: seed)
      let held = growth.held()
      for event in held.events {
        let end = try #require(held.place(of: event)).log
        for earlier in growth.past(of: event) {
          let sequence = growth.events[earlier].sequence
          let log = held.tree.log(holding: sequence, onPathTo: end)
          #expect(held.place(of: earlier)?.log == log)
        }
      }
    }
  }
}

/// The events of a copied replica and of its copies, each with its predecessor.
private struct Growth {
  struct Event {
    var parent: Int?
    var sequence: UInt64
    var hash: UniqueID
  }

  let replica: UniqueID
  private(set) var events: [Event] = []
  private var leaves: [Int] = []
  private var dice: Dice

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    replica = dice.id()
    grow(from: nil, depth: 0)
  }

  private mutating func grow(from parent: Int?, depth: Int) {
    var last = parent
    for _ in 0...dice.number(4) {
      let sequence = last.map { events[$0].sequence } ?? 0
      events.append(Event(parent: last, sequence: sequence + 1, hash: dice.id()))
      last = events.count - 1
    }
    guard depth < 3, dice.chance(depth == 0 ? 90 : 40), let last else {
      leaves.append(events.count - 1)
      return
    }
    for _ in 0..<(2 + dice.number(2)) { grow(from: last, depth: depth + 1) }
  }

  /// An event and all its predecessors.
  func past(of event: Int) -> [Int] {
    var past = [event]
    while let parent = events[past[past.count - 1]].parent { past.append(parent) }
    return past
  }

  func landmark(_ event: Int, under log: UniqueID) -> Landmark {
    Landmark(log: log, sequence: events[event].sequence, hash: events[event].hash)
  }

  /// The holdings of a device that has some of the branches.
  mutating func held() -> Held {
    let some = leaves.filter { _ in dice.chance(60) }
    return Held(self, leaves: some.isEmpty ? [leaves[0]] : some)
  }

  struct Held {
    let leaves: [Int]
    let events: Set<Int>
    let tree: LogTree
    private var places: [Int: (log: UniqueID, sequence: UInt64)] = [:]

    init(_ growth: Growth, leaves: [Int]) {
      self.leaves = leaves
      let held = Set(leaves.flatMap(growth.past))
      events = held
      var logs: [UniqueID: (lineage: Lineage, end: UInt64)] = [:]
      var places: [Int: (log: UniqueID, sequence: UInt64)] = [:]
      for event in held.sorted() {
        let entry = growth.events[event]
        let siblings = held.filter { growth.events[$0].parent == entry.parent }
        let before = entry.parent.flatMap { places[$0] }
        let log: UniqueID
        if let before, siblings.count == 1 {
          log = before.log
        } else {
          log = before == nil ? growth.replica : entry.hash
          let fork = before.map { Fork(trunk: $0.log, lastShared: $0.sequence) }
          logs[log] = (Lineage(replica: growth.replica, fork: fork), entry.sequence)
        }
        logs[log]?.end = entry.sequence
        places[event] = (log, entry.sequence)
      }
      var hashes: [UniqueID: [UInt64: UniqueID]] = [:]
      for (event, place) in places {
        hashes[place.log, default: [:]][place.sequence] = growth.events[event].hash
      }
      self.places = places
      tree = LogTree(logs) { [hashes] log, sequence in hashes[log]?[sequence] }
    }

    func place(of event: Int) -> (log: UniqueID, sequence: UInt64)? { places[event] }

    /// The held events in these parts.
    func covered(by reaches: [LogTree.Reach]) -> Set<Int> {
      let covered = places.filter { _, place in
        reaches.contains { $0.log == place.log && place.sequence <= $0.upTo }
      }
      return Set(covered.keys)
    }
  }
}
