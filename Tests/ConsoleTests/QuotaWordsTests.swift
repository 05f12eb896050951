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
    let usedUp = "The quota is used up: no further events are accepted until you raise it."
    #expect(told("--events", "1", on: stage) == [usedUp[...]])
    #expect(told("--events", "1000", on: stage) == [])
  }

  @Test func `Device quota: if only logs are used up, it says that a new log waits`() throws {
    let stage = try Stage.pairOfTodos()
    let usedUp =
      "The log quota is used up: no new log from this device is accepted until you raise it."
    #expect(told("--logs", "1", on: stage) == [usedUp[...]])
    #expect(told("--logs", "2", on: stage) == [])
    // The log that is already here continues.
    _ = stage.answer("device", "quota", "laptop 2", "--logs", "1")
    _ = stage.answer("-C", "phone", "add", "todo", "Dust")
    stage.meet()
    #expect(stage.answer("list", "todos").contains("Dust"))
  }
}
