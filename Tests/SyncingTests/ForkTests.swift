import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// Logs that their device has continued differently in different places.
struct ForkTests {
  static let trunk = (1...20).map { "t\($0)" }

  /// A holder of Cleo's log with the shared events, and with some events of a branch after one of them.
  static func holder(
    _ replica: UniqueID, _ branch: [String], behind shared: Int = 20
  ) -> MemoryHolder {
    let holder = MemoryHolder(replica).write(Array(trunk.prefix(shared)), to: .cleo)
    return holder.write(branch, to: .cleo)
  }

  static func sync(_ left: MemoryHolder, _ right: MemoryHolder) -> (Talker, Talker) {
    var (dialler, listener) = (Talker(.dialler, left), Talker(.listener, right))
    syncOutcome(&dialler, &listener)
    return (dialler, listener)
  }

  /// The union of the logs of the given holders.
  static func union(_ holders: [MemoryHolder]) -> [UniqueID: Tree] {
    holders.reduce(into: [:]) { union, holder in
      union.merge(holder.logs) { $0.joined(with: $1) }
    }
  }

  static let branches: [(left: [String], right: [String])] = [
    (["x1"], ["y1"]), (["x1", "x2", "x3", "x4", "x5"], ["y1"]), (["y1"], ["x1", "x2", "x3", "x4"]),
  ]

  @Test(arguments: branches)
  func `Fork: a session gives both sides both branches`(
    branches: (left: [String], right: [String])
  ) {
    let (left, right) = (Self.holder(.anna, branches.left), Self.holder(.bert, branches.right))
    let united = Self.union([left, right])
    let (dialler, listener) = Self.sync(left, right)
    #expect(dialler.isFinished && listener.isFinished)
    #expect(dialler.report.problems + listener.report.problems == [])
    #expect(left.logs == united)
    #expect(right.logs == united)
    #expect(left.frontier.places(of: .cleo).count == 2)
  }

  @Test func `Fork: a session sends a recently forked log starting at the fork`() {
    let (left, right) = (Self.holder(.anna, ["x1", "x2"]), Self.holder(.bert, ["y1", "y2"]))
    let (dialler, listener) = Self.sync(left, right)
    // Two frames are sent, starting with the landmark nearest to the fork. The listener then has all events.
    #expect(right.arrivals == 1)
    #expect(left.arrivals == 1)
    #expect(dialler.report.received == [.cleo: 1])
    #expect(listener.report.received == [.cleo: 1])
  }

  @Test func `Fork: a second session transfers nothing`() {
    let (left, right) = (Self.holder(.anna, ["x1"]), Self.holder(.bert, ["y1", "y2"]))
    _ = Self.sync(left, right)
    for (one, other) in [(left, right), (right, left)] {
      let arrivals = left.arrivals + right.arrivals
      let (dialler, listener) = Self.sync(one, other)
      #expect(left.arrivals + right.arrivals == arrivals)
      #expect(dialler.report.received == [:])
      #expect(listener.report.received == [:])
    }
  }

  @Test func `Fork: a side that holds more events receives no events`() {
    let (left, right) = (Self.holder(.anna, []), Self.holder(.bert, ["x1", "x2"]))
    let told = left.frontier
    let (_, listener) = Self.sync(left, right)
    #expect(right.arrivals == 0)
    #expect(listener.conversation.hello.frontier == right.frontier.union(told))
    #expect(left.logs == right.logs)
  }

  @Test func `Fork: three branches reach all holders after three sessions`() {
    let holders = [
      Self.holder(.anna, ["x1", "x2", "x3"]), Self.holder(.bert, ["x1", "y2"]),
      Self.holder(.cleo, ["z1", "z2"], behind: 7),
    ]
    let united = Self.union(holders)
    for (left, right) in [(0, 1), (1, 2), (2, 0)] { _ = Self.sync(holders[left], holders[right]) }
    for holder in holders { #expect(holder.logs == united) }
    #expect(holders[0].frontier.places(of: .cleo).map(\.sequence) == [9, 22, 23])
  }

  @Test func `Fork: events appended to either branch reach the other holder`() {
    let (left, right) = (Self.holder(.anna, ["x1"]), Self.holder(.bert, ["y1"]))
    _ = Self.sync(left, right)
    for text in ["x1", "y1"] {
      let tip = left.place(of: text, in: .cleo).first?.hash
      left.write([text + " and on"], to: .cleo, behind: tip)
    }
    let arrivals = right.arrivals
    _ = Self.sync(right, left)
    #expect(right.logs == left.logs)
    #expect(right.arrivals == arrivals + 2)
  }

  @Test func `Fork: a bundle contains both branches`() throws {
    let (left, right) = (Self.holder(.anna, ["x1"]), Self.holder(.bert, ["y1", "y2"]))
    let united = Self.union([left, right])
    let machine = SimulatedMachine(seed: 4)
    let path = Path("/stick/bundle")
    try machine.disk.makeDirectories(path.parent)
    let whole = try Bundle.write(to: path, from: left, on: machine.machine)
    #expect(whole.sent == [.cleo: 21])
    #expect(try Bundle.read(path, into: right, on: machine.machine).problems == [])
    #expect(right.logs == united)
    let since = try Bundle.write(
      to: path, from: right, since: left.frontier, on: machine.machine)
    #expect(since.sent == [.cleo: 2])
    #expect(try Bundle.read(path, into: left, on: machine.machine).problems == [])
    #expect(left.logs == united)
  }
}

extension Tree {
  /// The union of the events in two trees.
  func joined(with other: Tree) -> Tree {
    other.events.values.sorted { $0.sequence < $1.sequence }.reduce(into: self) { tree, event in
      if let content = event.content { _ = tree.add(content, behind: event.before) }
    }
  }
}
