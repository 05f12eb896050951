import Console
import Phrasing
import Platform
import Testing

/// What changing a quota says about the events of the device.
struct QuotaWordsTests {
  /// The sentences about events and logs that a change of a quota prints.
  private func told(_ option: String, _ number: String, on stage: Stage) -> [Substring] {
    stage.answer("device", "quota", "laptop 2", option, number)
      .split(separator: "\n").filter { $0.hasSuffix(".") }
  }

  @Test
  func
    `Device quota: it says that events wait if the quota is used up, and promises none otherwise`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    let waiting = "The quota is used up: further events wait until it is raised."
    #expect(told("--events", "1", on: stage) == [waiting[...]])
    #expect(told("--events", "1000", on: stage) == [])
  }

  @Test func `Device quota: if only logs are used up, it says that a new log waits`() throws {
    let stage = try Stage.pairOfTodos()
    let waiting = "The quota of logs is used up: a new log of the device waits until it is raised."
    #expect(told("--logs", "1", on: stage) == [waiting[...]])
    #expect(told("--logs", "2", on: stage) == [])
    // The log that is already here continues.
    _ = stage.answer("device", "quota", "laptop 2", "--logs", "1")
    _ = stage.answer("-C", "phone", "add", "todo", "Dust")
    stage.meet()
    #expect(stage.answer("list", "todos").contains("Dust"))
  }
}
