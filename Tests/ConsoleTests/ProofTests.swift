import Bytes
import Phrasing
import Platform
import Proving
import Testing

/// `prove` and `check-proof`; `Golden/proofs.txt` shows what they print.
struct ProofTests {
  private static func report(of file: String, on stage: Stage) throws -> ProofReport {
    let bytes = try stage.disk.contents(of: Path("/home/ada/\(file)"), limit: 1 << 20)
    return try ProofCheck.check(bytes)
  }

  private static func prove(_ words: String..., on stage: Stage) throws -> ProofReport {
    let outcome = stage.run(["prove"] + words + ["-o", "p", "--force"])
    #expect(outcome.code == .done, "\(outcome.error)")
    return try report(of: "p", on: stage)
  }

  @Test func `Proof: each device can prove the record of another device`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("edit", "mop", "--title", "Mop the floor")
    stage.meet()
    for folder in [[], ["-C", "phone"]] {
      let outcome = stage.run(folder + ["prove", "mop", "-o", "p", "--force"])
      #expect(outcome.code == .done, "\(outcome.error)")
      let report = try Self.report(of: "p", on: stage)
      let changes = report.events.filter { $0.role == .changes }
      #expect(changes.count == 2)
      #expect(Set(changes.map(\.log)).count == 2)
      #expect(report.logs.count == 2)
    }
  }

  @Test func `Proof: no word of another record is in the file`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("add", "todo", "Surprise party", "--note", "for Ada")
    _ = stage.answer("edit", "sweep", "--note", "the stairs")
    _ = try Self.prove("sweep", "--unbroken", on: stage)
    let bytes = try stage.disk.contents(of: Path("/home/ada/p"), limit: 1 << 20)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("Sweep") && text.contains("the stairs"))
    #expect(!text.contains("Surprise") && !text.contains("Ada"))
  }

  @Test func `Proof: distant events are separate parts, and --unbroken links them`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    for number in 1...80 { _ = stage.answer("add", "todo", "Other \(number)") }
    _ = stage.answer("edit", "sweep", "--note", "the stairs")
    let parts = try Self.prove("sweep", on: stage)
    #expect(parts.logs.map(\.stretches.count) == [2])
    #expect(parts.logs[0].hidden == 0)
    #expect(parts.logs[0].absent == 80)
    let chain = try Self.prove("sweep", "--unbroken", on: stage)
    #expect(chain.logs[0].isUnbroken)
    #expect(chain.logs[0].hidden == 80)
    #expect(chain.events.map(\.hash) == parts.events.map(\.hash))
  }

  @Test func `Proof: a part of a few events ends where the device that made the proof signs it`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    for number in 1...80 { _ = stage.answer("add", "todo", "Other \(number)") }
    // Sealing packs all events into one frame with one signature.
    _ = stage.answer("bundle", "b")
    let report = try Self.prove("sweep", on: stage)
    #expect(report.logs[0].last == 2)
  }

  @Test func `Proof: an event of another device is linked to the next signature that is held`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "phone", "add", "todo", "Mop")
    for number in 1...20 { _ = stage.answer("-C", "phone", "add", "todo", "Other \(number)") }
    stage.meet()
    let far = try Self.prove("mop", on: stage)
    let outcome = stage.run("-C", "phone", "prove", "mop", "-o", "p", "--force")
    #expect(outcome.code == .done, "\(outcome.error)")
    let near = try Self.report(of: "p", on: stage)
    let author = try #require(far.logs.firstIndex { !$0.isFounder })
    #expect(far.logs[author].hidden >= 20)
    let own = try #require(near.logs.firstIndex { !$0.isFounder })
    #expect(near.logs[own].hidden < 5)
  }

  @Test func `Proof: an erased record is shown with its erasure`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    let added = try JSON(parsing: Array(stage.answer("show", "sweep", "--json").utf8))
    let id = try #require(added["id"]?.string)
    _ = stage.answer("edit", "sweep", "--note", "the stairs")
    _ = stage.answer("erase", "sweep", "--yes")
    let report = try Self.prove(id, on: stage)
    #expect(report.erased == [report.record])
    #expect(report.kind == nil)
    #expect(report.events.contains { $0.role == .erases(report.record) })
    #expect(!report.events.contains { $0.role == .changes })
  }

  @Test func `Proof: a file that is changed is refused with exit code 1`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    _ = try Self.prove("sweep", on: stage)
    var bytes = try stage.disk.contents(of: Path("/home/ada/p"), limit: 1 << 20)
    let place = try #require(
      bytes.indices.first { Array(bytes[$0...].prefix(5)) == Array("Sweep".utf8) })
    bytes[place] = UInt8(ascii: "s")
    try stage.disk.replace(Path("/home/ada/p"), with: bytes)
    let outcome = stage.run("check-proof", "p")
    #expect(outcome.code == .refused)
    #expect(outcome.output == "")
    #expect(outcome.error.contains("proves nothing, because the signature at event 2 of log 1"))
  }
}
