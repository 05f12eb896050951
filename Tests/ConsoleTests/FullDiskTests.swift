import Bytes
import Console
import Phrasing
import SimulatedPlatform
import Testing

/// Messages when the disk fills up in the middle of a command.
struct FullDiskTests {
  private static let nothingLeft = "nothing was left half done"

  @Test func `Full disk: a rename fails completely or is reported as done`() {
    var endings: Set<String> = []
    for room in stride(from: 0, through: 2_000, by: 40) {
      let stage = Stage()
      _ = stage.answer("add", "list", "Home")
      stage.machine.disk.becomeFull(afterBytes: room)
      let outcome = stage.run("device", "rename", "desk")
      stage.machine.disk.clearWeather()
      let isDone = stage.answer("devices").hasPrefix("desk")
      #expect(outcome.error.contains(Self.nothingLeft) == !isDone, "\(room) \(outcome)")
      #expect(outcome.code == .done || outcome.code == .cannotWrite, "\(room)")
      endings.insert(
        isDone ? outcome.code == .done ? "done" : "done, with an error" : "not done")
      if isDone, outcome.code != .done {
        #expect(outcome.error.contains("are kept and count; 'daybook log' shows them."))
      }
    }
    #expect(endings == ["done", "done, with an error", "not done"])
  }

  @Test func `Full disk: an erasure fails completely or is reported as done`() throws {
    var endings: Set<String> = []
    for room in stride(from: 0, through: 2_800, by: 80) {
      let stage = Stage()
      _ = stage.answer("add", "todo", "Geheim")
      for number in 0..<10 { _ = stage.answer("add", "todo", "\(number &* 2_654_435_761)") }
      stage.machine.disk.becomeFull(afterBytes: room)
      let outcome = stage.run("erase", "Geheim", "--yes")
      let isDone = !stage.answer("list", "todos").contains("Geheim")
      #expect(outcome.error.contains(Self.nothingLeft) == !isDone, "\(room) \(outcome)")
      let isLeft = outcome.error.contains("its bytes are still in files on this device")
      if isLeft {
        #expect(outcome.output == "Erased 1 record.\n")
        let verified = stage.run("verify")
        #expect(verified.code == .cannotWrite, "\(verified)")
        #expect(verified.error.contains("its bytes are still in files on this device"))
        let doctor = stage.run("doctor", "--json")
        #expect(doctor.code == .cannotWrite)
        let checks = try JSON(parsing: Array(doctor.output.utf8))["checks"]?.array ?? []
        let left = checks.first { $0["subject"]?.string == "erased bytes" }
        #expect(left?["verdict"]?.string == "problem")
        #expect(
          left?["text"]?.string?.hasPrefix("the bytes of erased records are still in files") == true
        )
        stage.machine.disk.clearWeather()
        let later = stage.run("add", "todo", "Later")
        #expect(later.code == .done && later.error == "")
        #expect(stage.run("verify").code == .done)
      }
      endings.insert(isDone ? isLeft ? "left" : "done" : "not done")
    }
    #expect(endings == ["done", "left", "not done"])
  }
}
