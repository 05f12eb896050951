import Console
import Phrasing
import Platform
import Testing

/// What changing a quota says about the events of the device.
struct QuotaWordsTests {
  @Test
  func
    `Device quota: it says that events wait if the quota is used up, and promises none otherwise`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    let waiting = "The quota is used up: further events wait until it is raised."
    let arriving = "Events that the quota held back arrive with the next sync."
    func told(_ events: String) -> [Substring] {
      stage.answer("device", "quota", "laptop 2", "--events", events)
        .split(separator: "\n").filter { $0 == waiting || $0 == arriving }
    }
    #expect(told("1") == [waiting[...]])
    #expect(told("1000") == [])
  }
}
