import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// Logs that lose some events and recover them.
struct HoleTests {
  /// A holder with all of Cleo's log, and a holder that has lost part of it.
  static func two() -> (whole: MemoryHolder, holed: MemoryHolder) {
    let texts = (1...12).map { "c\($0)" }
    let whole = MemoryHolder(.anna).write(texts, to: .cleo)
    let holed = MemoryHolder(.bert).write(texts, to: .cleo)
    holed.lose(4...6, of: .cleo)
    return (whole, holed)
  }

  @Test func `Hole: the frontier lists the events after it as islands`() throws {
    let place = try #require(Self.two().holed.frontier.places.first)
    #expect(place.sequence == 3)
    #expect(place.islands == [7...12])
  }

  @Test(arguments: [Session.Role.dialler, .listener])
  func `Hole: a session transfers only the missing events`(role: Session.Role) {
    let (whole, holed) = Self.two()
    let (left, right) = role == .dialler ? (whole, holed) : (holed, whole)
    var (dialler, listener) = (Talker(.dialler, left), Talker(.listener, right))
    syncOutcome(&dialler, &listener)
    #expect(dialler.isFinished && listener.isFinished)
    #expect(holed.logs == whole.logs)
    #expect(holed.arrivals == 1)
    #expect(whole.arrivals == 0)
    let report = role == .dialler ? listener.report : dialler.report
    #expect(report.received == [.cleo: 3])
  }

  @Test func `Hole: two holders with different holes fill each other's holes`() {
    let (whole, holed) = Self.two()
    let logs = whole.logs
    whole.lose(9...9, of: .cleo)
    for _ in 0..<2 {
      var (dialler, listener) = (Talker(.dialler, whole), Talker(.listener, holed))
      syncOutcome(&dialler, &listener)
    }
    #expect(whole.logs == logs)
    #expect(holed.logs == logs)
  }

  @Test func `Hole: a bundle and a directory fill it`() throws {
    let machine = SimulatedMachine(seed: 6)
    let path = Path("/stick/bundle")
    try machine.disk.makeDirectories(path.parent)
    let (whole, holed) = Self.two()
    let receipt = try Bundle.write(
      to: path, from: whole, since: holed.frontier, on: machine.machine)
    #expect(receipt.sent == [.cleo: 3])
    #expect(try Bundle.read(path, into: holed, on: machine.machine).problems == [])
    #expect(holed.logs == whole.logs)

    let other = Self.two().holed
    var directory = try DirectoryTests.peer(on: machine)
    _ = try directory.push(from: whole)
    #expect(try directory.pull(.book, into: other).received == [.cleo: 3])
    #expect(other.logs == whole.logs)
  }

  @Test(arguments: [false, true])
  func `Hole: a directory receives each branch after the hole`(isWithOther: Bool) throws {
    let machine = SimulatedMachine(seed: 7)
    let (whole, holed) = Self.two()
    var directory = try DirectoryTests.peer(on: machine)
    _ = try directory.push(from: holed)
    // Another holder continued from the same event, equally far or further, and may hold the first branch.
    let other = isWithOther ? Self.two().holed : MemoryHolder(.bert)
    other.write((1...8).map { "c\($0)" }, to: .cleo, behind: Tree(.cleo).root)
    let tip = try #require(other.place(of: "c8", in: .cleo).first)
    other.write(["d9", "d10"], to: .cleo, behind: tip.hash)
    other.lose(4...6, of: .cleo)
    #expect(try directory.push(from: other).sent.isEmpty == false)
    #expect(try directory.push(from: other).sent == [:])
    _ = try directory.pull(.book, into: whole)
    #expect(whole.hash(of: "d10", in: .cleo) != nil)
  }

  @Test func `Hole: a log with two branches after it claims no islands`() throws {
    let (_, holed) = Self.two()
    let tip = try #require(holed.place(of: "c8", in: .cleo).first)
    holed.write(["d9", "d10"], to: .cleo, behind: tip.hash)
    #expect(holed.frontier.places.map(\.islands) == [[]])
    #expect(holed.frontier.places.map(\.sequence) == [3])
    let whole = Self.two().whole
    for _ in 0..<2 {
      var (dialler, listener) = (Talker(.dialler, holed), Talker(.listener, whole))
      syncOutcome(&dialler, &listener)
    }
    #expect(whole.frontier.places.map(\.sequence) == [10, 12])
    #expect(holed.logs == whole.logs)
  }
}
