import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Events that a device wrote after lost events do not reach other devices, and are reported.
struct StrandedEventsTests {
  /// Creates a book that has lost its to-do Mop but has the later to-do Dust, and that a phone has joined.
  private func holed() throws -> Stage {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Sand")
    try stage.addDamaged("Mop", before: "Dust")
    return stage
  }

  @Test func `Stranded events: events after an accepted loss are reported`() throws {
    let stage = try holed()
    let outcome = stage.run("verify", "--accept-loss")
    #expect(
      outcome.error.hasPrefix(
        "daybook: 1 event of this device follows missing events in its log, so other "
          + "devices cannot accept it. "))
    #expect(stage.run("status").error.contains("1 event of this device follows missing"))
  }

  @Test func `Stranded events: events written after an accepted loss reach other devices`() throws {
    let stage = try holed()
    _ = stage.run("verify", "--accept-loss")
    _ = stage.answer("add", "todo", "Later")
    #expect(stage.run("sync", "stick").error.contains("1 event of this device follows missing"))
    _ = stage.run("-C", "phone", "sync", "stick")
    let shown = stage.run("-C", "phone", "list", "todos", "--plain").output
    let titles = shown.split(separator: "\n").map { row in
      row.split(separator: "\t", omittingEmptySubsequences: false)[3]
    }
    #expect(Set(titles) == ["Sweep", "Sand", "Later"])
  }

  @Test func `Stranded events: a device whose log has lost its first event writes to another log`()
    throws
  {
    let stage = try Stage.pair()
    let before = Set(stage.machine.disk.files.keys)
    _ = stage.answer("-C", "phone", "device", "rekey", "--yes")
    let log = try #require(
      stage.machine.disk.files.keys.first {
        $0.string.contains("/phone/logs/") && !before.contains($0)
      })
    stage.machine.disk.rot(log, at: 60, flipping: 4)
    _ = stage.run("-C", "phone", "add", "todo", "Later")
    #expect(stage.run("-C", "phone", "status").error.contains("1 event of this device follows"))
    _ = stage.run("-C", "phone", "sync", "stick")
    _ = stage.run("sync", "stick")
    #expect(stage.run("list", "todos").output.contains("Later"))
  }

  @Test func `Stranded events: doctor reports them`() throws {
    let stage = try holed()
    #expect(stage.run("doctor").output.contains("note     stranded        1 event of this device "))
    let whole = try Stage.pair().run("doctor").output
    #expect(whole.contains("stranded        no event of this device follows a lost event\n"))
  }

  @Test func `Stranded events: a sync with all peers reports them once`() throws {
    let stage = try holed()
    try stage.disk.makeDirectories(Path("/home/ada/disk"))
    for (name, folder) in [("stick", "stick"), ("disk", "disk")] {
      _ = stage.answer("peer", "add", name, folder)
    }
    let told = stage.run("sync").error.split(separator: "\n")
    #expect(told.count { $0.contains("follows missing events in its log") } == 1)
  }
}
