import Daybook
import Phrasing
import Platform
import Testing

@testable import Console

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
    let usedUp = "The quota is used up, so no further events are accepted until you raise it."
    #expect(told("--events", "1", on: stage) == [usedUp[...]])
    #expect(told("--events", "1000", on: stage) == [])
  }

  @Test func `Device quota: if only logs are used up, it says that a new log waits`() throws {
    let stage = try Stage.pairOfTodos()
    let usedUp =
      "The log quota is used up, so no new log from that device is accepted until you raise it."
    #expect(told("--logs", "1", on: stage) == [usedUp[...]])
    #expect(told("--logs", "2", on: stage) == [])
    // The log that is already here continues.
    _ = stage.answer("device", "quota", "laptop 2", "--logs", "1")
    _ = stage.answer("-C", "phone", "add", "todo", "Dust")
    stage.meet()
    #expect(stage.answer("list", "todos").contains("Dust"))
  }

  @Test func `Device quota: refused events are neither missing nor damage`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "quota", "laptop 2", "--events", "3")
    for count in [9, 1] {
      for number in 1...count {
        _ = stage.answer("-C", "phone", "add", "todo", "\(number) of \(count)")
      }
      _ = stage.answer("-C", "phone", "sync", "stick")
      let synced = stage.run("sync", "stick")
      #expect(synced.code == .refused)
      #expect(synced.error.contains("would exceed its quota on this device, so this sync did not"))
      #expect(!synced.error.contains("missing") && !synced.error.contains("--since"))
    }
    #expect(stage.run("verify").code == .done)
    _ = stage.answer("device", "quota", "laptop 2", "--events", "1000")
    _ = stage.answer("sync", "stick")
    #expect(stage.answer("list", "todos").contains("1 of 1"))
  }

  @Test func `Device quota: a device that has written more than the default learns of it`() {
    let usual = Quota.standard
    #expect(OwnEventNotices.excess(of: usual) == nil)
    let many = Quota(logs: 1, events: usual.events + 1, bytes: 12 << 20)
    #expect(
      OwnEventNotices.excess(of: many)
        == "this device has written more than other devices accept from it by default "
        + "(60001 of 60000 events, 12 of 10 MiB), so they may not accept its next changes, "
        + "even from a folder or a bundle; to see or raise this device's quota, run 'daybook device quota' "
        + "on those devices")
    #expect(
      OwnEventNotices.excess(of: Quota(logs: 65))?.contains(" (65 of 64 logs), so") == true)
  }
}
