import Bytes
import Console
import Phrasing
import Platform
import Testing

/// Commands in messages about devices and conflicts: each does what the message says, on the device that it names.
struct DeviceAdviceTests {
  private static let phone = ["-C", "phone"]

  /// Creates a book on a stick, and a phone that has joined it and is waiting for admission.
  private func waiting() throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "join", "stick")
    return stage
  }

  private func standing(of name: String, _ stage: Stage) throws -> JSON? {
    try stage.devices().first { $0["name"]?.string == name }?["standing"]
  }

  @Test func `Advice: the named command admits a waiting device`() throws {
    let stage = try waiting()
    try stage.follow("device admit", in: stage.run("sync", "stick"))
    #expect(try standing(of: "laptop 2", stage) == "admitted")
    // The phone itself names the command for the other device.
    let other = try waiting()
    _ = other.run("sync", "stick")
    let status = other.run("-C", "phone", "status")
    try other.follow("device admit", in: status, filling: ["NAME": "laptop 2"])
    other.meet()
    #expect(other.run("-C", "phone", "status").error == "")
    let doctor = try waiting()
    _ = doctor.run("sync", "stick")
    try doctor.follow("device admit", in: doctor.run("doctor"))
    #expect(try standing(of: "laptop 2", doctor) == "admitted")
  }

  @Test func `Advice: a waiting device with the name of an admitted one is admitted by its key`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("device", "rename", "laptop 2", "phone")
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "tablet", "join", "stick")
    _ = stage.run("sync", "stick")
    let names = try stage.devices().compactMap { $0["name"]?.string }
    let waiting = try #require(names.first { !["laptop", "phone"].contains($0) })
    let told = stage.run("device", "rename", waiting, "tablet")
    #expect(told.code == .refused)
    try stage.follow("device admit", in: told)
    _ = stage.answer("device", "rename", waiting, "tablet")
  }

  @Test func `Advice: the command of either side settles a conflict`() throws {
    for take in 0...1 {
      let stage = try Stage.pair()
      _ = stage.answer("edit", "Sweep", "--title", "Sweep stairs")
      _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Sweep floor")
      _ = stage.answer("sync", "stick")
      let synced = stage.run(Self.phone + ["sync", "stick"])
      let sides = synced.output.split(separator: "\n").filter { $0.contains("daybook resolve") }
      #expect(sides.count == 2)
      let side = Stage.Outcome(code: .done, output: String(sides[take]), error: "")
      try stage.follow("resolve", in: side, on: Self.phone)
      #expect(stage.answer("-C", "phone", "conflicts") == "No conflicts.\n")
      let title = take == 0 ? "Sweep floor" : "Sweep stairs"
      #expect(stage.answer("-C", "phone", "list", "todos").contains(title))
    }
  }

  @Test func `Advice: the command that today, status, export and resolve name lists the conflicts`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--note", "stairs")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--note", "floor")
    stage.meet()
    let list = stage.answer("conflicts")
    for words in [
      [], ["status"], ["export", "-o", "book.jsonl"],
      ["resolve", "sweep", "due", "--take", "mine"],
    ] {
      #expect(try stage.follow("conflicts", in: stage.run(words)).output == list, "\(words)")
    }
    let undecided = stage.run("resolve", "sweep", "--take", "nobody")
    let advised = undecided.error.split(separator: "daybook ").last
    #expect(advised != nil)
    try stage.follow("resolve", in: stage.run("resolve", "sweep"))
    #expect(stage.answer("conflicts") == "No conflicts.\n")
    stage.meet()
    #expect(try stage.follow("conflicts", in: reopened(on: stage)).output.contains("note"))
  }

  /// Undoes the latest settlement, which reopens its conflict, and returns the answer.
  private func reopened(on stage: Stage) -> Stage.Outcome { stage.run("undo") }

  @Test func `Advice: older conflicts are listed`() throws {
    let stage = try Stage.pairOfTodos()
    for title in ["Sweep", "Mop"] {
      _ = stage.answer("edit", title, "--note", "stairs")
      _ = stage.answer("-C", "phone", "edit", title, "--note", "floor")
      _ = stage.answer("sync", "stick")
      let synced = stage.run(Self.phone + ["sync", "stick"])
      if title == "Mop" {
        let list = try stage.follow("conflicts", in: synced, on: Self.phone)
        #expect(list.output.contains("Sweep") && list.output.contains("Mop"))
      }
      _ = stage.answer("sync", "stick")
    }
  }

  @Test func `Advice: another device admits a new key and revokes the old one`() throws {
    let stage = try Stage.pairOfTodos()
    let told = stage.run("device", "rekey")
    try stage.follow("device revoke", in: told, code: .refused)
    try stage.follow("device revoke", in: told, adjust: Stage.consenting)
    #expect(try stage.devices().count { $0["standing"] == "revoked" } == 1)
    #expect(stage.answer("add", "todo", "Wipe").hasPrefix("Added todo "))
  }

  @Test func `Advice: a revoked device saves its changes, and returns with a new key`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("-C", "phone", "add", "todo", "Late")
    _ = stage.answer("sync", "stick")
    let told = stage.run("-C", "phone", "sync", "stick")
    try stage.follow("export --uncounted", in: told, on: Self.phone)
    let asked = try stage.follow("device rekey", in: told, on: Self.phone, code: .refused)
    try stage.follow("export --uncounted", in: asked, on: Self.phone, code: .refused)
    let rekeyed = try stage.follow(
      "device rekey", in: told, on: Self.phone, adjust: Stage.consenting)
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.run("sync", "stick")
    try stage.follow("device admit", in: rekeyed)
    stage.meet()
    try stage.follow("import", in: told, on: Self.phone)
    stage.meet()
    #expect(stage.answer("list", "todos").contains("Late"))
  }

  @Test func `Advice: records that a revoked device deleted are restored`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "phone", "delete", "Sweep", "Mop")
    stage.meet()
    let revoked = stage.run("device", "revoke", "laptop 2", "--yes")
    try stage.follow("restore", in: revoked)
    #expect(stage.answer("list", "todos").split(separator: "\n").count == 2)
  }

  @Test func `Advice: a list deleted on another device is restored with its to-dos`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Tea", "--list", "Home")
    stage.meet()
    _ = stage.answer("delete", "Home")
    _ = stage.answer("sync", "stick")
    let told = stage.run(Self.phone + ["sync", "stick"])
    try stage.follow("restore", in: told, on: Self.phone)
    #expect(stage.answer("-C", "phone", "list", "todos", "--list", "Home").contains("Tea"))
  }

  @Test func `Advice: held erasures are listed, accepted and refused`() throws {
    for verb in ["erase --accept", "device revoke"] {
      let stage = try Stage.pairOfTodos()
      for number in 10...20 { _ = stage.answer("add", "list", "Geheim \(number)") }
      stage.meet()
      for number in 10...20 {
        _ = stage.answer("-C", "phone", "erase", "Geheim \(number)", "--yes")
      }
      _ = stage.answer("-C", "phone", "sync", "stick")
      let told = stage.run("sync", "stick")
      let held = try stage.follow("erase --held", in: told).output
      #expect(held.split(separator: "\n").count >= 11)
      try stage.follow(verb, in: told, code: .refused)
      try stage.follow(verb, in: told, adjust: Stage.consenting)
      #expect(stage.answer("list", "lists").contains("Geheim") == (verb == "device revoke"))
      #expect(stage.answer("erase", "--held") == "No erasures are held.\n")
    }
  }

  @Test func `Advice: names in the wrong order are swapped`() throws {
    let stage = try Stage.pair()
    let refused = stage.run("device", "rename", "old phone", "laptop 2")
    try stage.follow("device rename", in: refused)
    #expect(stage.answer("devices").contains("old phone"))
    let listed = try stage.follow("devices", in: stage.run("device", "revoke", "nobody"))
    #expect(listed.output == stage.answer("devices"))
    let quota = stage.run("device", "quota", "--events", "9")
    try stage.follow("device quota", in: quota, filling: ["NAME": "old phone", "N": "9000"])
    #expect(stage.answer("device", "quota").contains("9"))
  }

  @Test func `Advice: if no trusted device is left, a new book is founded`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("-C", "phone", "device", "revoke", "laptop", "--yes")
    stage.meet()
    let told = stage.run("status")
    try stage.follow("found", in: told, filling: ["NAME": "laptop 2"], code: .refused)
    try stage.follow("found", in: told, filling: ["NAME": "laptop 2"], adjust: Stage.consenting)
    #expect(stage.run("status").error == "")
  }
}
