import Platform
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// The peers that are called again and again.
struct RedialListTests {
  private let simulated = SimulatedMachine(seed: 1)
  private var list: RedialList

  init() { list = RedialList(on: simulated.machine) }

  private mutating func add(_ addresses: String...) throws {
    for address in addresses {
      list.add(Contact(name: address, address: nil), at: try #require(MachineAddress(address)))
    }
  }

  private mutating func taken() -> [Int] { list.takeDue().map(\.number) }

  private mutating func lose(_ number: Int) {
    _ = list.noteLost(number, .sync(.tooSlow), peer: nil)
  }

  private func pass(seconds: Int64) {
    simulated.timekeeper.advance(milliseconds: seconds * 1_000)
  }

  @Test mutating func `Redial list: each peer is called once until it is lost`() throws {
    try add("a:1", "b:2")
    #expect(taken() == [0, 1])
    #expect(taken() == [] && list.nextCall == nil)
    lose(1)
    let due = try #require(list.nextCall)
    #expect((500...1_000).contains(due - simulated.timekeeper.monotonicMilliseconds()))
    #expect(taken() == [])
    pass(seconds: 1)
    #expect(taken() == [1])
  }

  @Test mutating func `Redial list: one login at a time, and other machines do not wait for it`()
    throws
  {
    try add("ssh://a", "ssh://b", "c:3")
    #expect(taken() == [0, 2])
    #expect(list.nextCall == nil)
    lose(2)
    pass(seconds: 1)
    #expect(taken() == [2])
    list.noteAnswered(2)
    #expect(taken() == [])
    list.noteAnswered(0)
    #expect(taken() == [1])
    #expect(taken() == [])
  }

  @Test mutating func `Redial list: logins that fail slowly take turns`() throws {
    try add("ssh://a", "ssh://b", "ssh://c")
    var order = taken()
    for _ in 0..<6 {
      pass(seconds: 150)
      lose(try #require(order.last))
      order += taken()
    }
    #expect(order == [0, 1, 2, 0, 1, 2, 0])
  }
}
