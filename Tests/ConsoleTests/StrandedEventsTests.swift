import Phrasing
import Platform
import SimulatedPlatform
import Testing

@testable import Console

/// What a device wrote behind events that are lost in its log reaches no other device, and is reported.
struct StrandedEventsTests {
  /// A book, known to a phone, that has lost its to-do Mop, with Dust behind it.
  private func holed() throws -> Stage {
    let stage = try Stage.pair()
    func log() throws -> (key: Path, value: [UInt8]) {
      let own = try #require(
        stage.machine.disk.files.keys.first {
          $0.string.contains("/default/keys/") && $0.name.hasSuffix(".pem")
        })
      let replica = String(own.name.dropLast(4))
      return try #require(
        stage.machine.disk.files.first {
          $0.key.string.contains("/default/logs/\(replica)/") && $0.key.name.hasSuffix(".gz")
        })
    }
    _ = stage.answer("add", "todo", "Sand")
    let before = try log().value.count
    _ = stage.answer("add", "todo", "Mop")
    let (file, after) = try log()
    _ = stage.answer("add", "todo", "Dust")
    stage.machine.disk.rot(file, at: (before + after.count) / 2, flipping: 4)
    return stage
  }

  @Test func `Accepted loss: what stands behind it in the own log is reported`() throws {
    let stage = try holed()
    let outcome = stage.run("verify", "--accept-loss")
    #expect(
      outcome.error.hasPrefix(
        "daybook: 1 event of this device stands behind what is missing in its log, so other "
          + "devices cannot take it. "))
    #expect(stage.run("status").error.contains("1 event of this device stands behind"))
  }

  @Test func `Accepted loss: what is written afterwards reaches other devices`() throws {
    let stage = try holed()
    _ = stage.run("verify", "--accept-loss")
    _ = stage.answer("add", "todo", "Later")
    #expect(stage.run("sync", "stick").error.contains("1 event of this device stands behind"))
    _ = stage.run("-C", "phone", "sync", "stick")
    let shown = stage.run("-C", "phone", "list", "todos", "--plain").output
    let titles = shown.split(separator: "\n").map { $0.split(separator: "\t")[3] }
    #expect(Set(titles) == ["Sweep", "Sand", "Later"])
  }
}
