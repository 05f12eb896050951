import Console
import Phrasing
import Platform
import Testing

/// What changing a quota says about the events of the device.
struct QuotaWordsTests {
  @Test func `Device quota: it says whether events wait or arrive`() throws {
    let stage = try Stage.pairOfTodos()
    let waiting = "The quota is used up: further events wait until it is raised."
    let arriving = "Events that the quota held back arrive with the next sync."
    func told(_ events: String) -> [Substring] {
      stage.answer("device", "quota", "laptop 2", "--events", events)
        .split(separator: "\n").filter { $0 == waiting || $0 == arriving }
    }
    #expect(told("1") == [waiting[...]])
    #expect(told("1000") == [])
    #expect(told("1") == [waiting[...]])
    _ = stage.answer("-C", "phone", "add", "todo", "Dust")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.run("sync", "stick")
    #expect(told("1000") == [arriving[...]])
    _ = stage.answer("sync", "stick")
    #expect(stage.answer("list", "todos").contains("Dust"))
  }
}
