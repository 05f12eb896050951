import Platform
import Testing

@testable import PosixPlatform

struct SystemMemoryTests {
  @Test func `Memory: the smallest known limit applies`() {
    func smallest(_ physical: UInt64?, _ process: UInt64?, _ container: UInt64?) -> UInt64 {
      SystemMemory.smallest(physical: physical, process: process, container: container)
    }
    #expect(smallest(3, 2, 1) == 1)
    #expect(smallest(3, nil, 1) == 1)
    #expect(smallest(nil, nil, 1) == 1)
    #expect(smallest(nil, 2, nil) == 2)
    #expect(smallest(3, .max, nil) == 3)
    #expect(smallest(nil, nil, nil) == .max)
  }

  @Test func `Memory: a serving process has a command's budget, at most 64 MiB`() {
    let budget = SystemMemory.budget
    #expect(budget.command > 0)
    #expect(budget.serving == min(budget.command, 64 << 20))
  }
}
