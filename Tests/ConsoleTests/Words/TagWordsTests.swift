import Bytes
import Console
import Phrasing
import Testing

/// Edits that replace all tags, or add and remove some.
struct TagWordsTests {
  private func tags(_ stage: Stage) throws -> [JSON]? {
    try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8)).array?.first?["tags"]?
      .array
  }

  @Test(arguments: [
    (["--tags", "+c"], ["a", "b", "c"]), (["--tags=-a"], ["b"]),
    (["--tags", "+c,-a"], ["b", "c"]),
    (["--tag", "+c", "--tag", "+d"], ["a", "b", "c", "d"]), (["--tags", "+a"], ["a", "b"]),
    (["--tags", "c"], ["c"]), (["--tags=-x,-y"], ["a", "b"]), (["--tags", "+"], ["+"]),
    (["--tag", "c,d"], ["a", "b", "c", "d"]), (["--untag", "A,x"], ["b"]),
    (["--untag", "b", "--tag", "c"], ["a", "c"]), (["--tag", "a", "--untag", "a"], ["a", "b"]),
    (["--tags", "x,y", "--tag", "z"], ["x", "y", "z"]), (["--tags", "B,a"], ["a", "B"]),
  ])
  func `Tags: tags with a sign are added or removed, and tags without one replace all`(
    words: [String], expected: [String]
  ) throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--tag", "a,b")
    #expect(stage.run(["edit", "mop"] + words).code == .done)
    #expect(try tags(stage) == expected.map { .string($0) })
  }

  @Test func `Tags: a removal here and an addition there both take effect, without a conflict`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "sweep", "--tag", "a,b")
    stage.meet()
    _ = stage.answer("edit", "sweep", "-b")
    _ = stage.answer("-C", "phone", "edit", "sweep", "+c")
    stage.meet()
    for device in [[], ["-C", "phone"]] {
      #expect(try stage.todos(on: device).map { $0["tags"] } == [.array(["a", "c"])])
      #expect(stage.run(device + ["conflicts"]).output == "No conflicts.\n")
    }
    let digests = [[], ["-C", "phone"]].map { device in
      stage.run(device + ["status"]).output.split(separator: "\n").filter { $0.contains("digest") }
    }
    #expect(digests[0] == digests[1] && digests[0].count == 1)
  }

  @Test func `Tags: a mix of signed and unsigned tags is refused`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--tag", "a,b")
    #expect(
      stage.run("edit", "mop", "--tags", "c,+d")
        == .init(
          code: .refused, output: "",
          error: "daybook: the tags cannot be 'c,+d'. List all tags, as in 'a,b', or only "
            + "changes, as in '+a,-b'.\n"))
    #expect(try tags(stage) == ["a", "b"])
  }

  @Test func `Tags: the history names the tags that were added and removed`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--tag", "home,wet")
    _ = stage.answer("edit", "mop", "--tag", "food", "--untag", "wet")
    let changed = stage.answer("log", "--limit", "1")
    #expect(changed.hasSuffix("todo Mop: tagged food, tag wet removed\n"))
    _ = stage.answer("undo")
    let undone = stage.answer("log", "--limit", "1")
    #expect(undone.hasSuffix("todo Mop: tagged wet, tag food removed\n"))
    #expect(stage.answer("log", "--field", "tags", "--limit", "9").contains("tagged home, wet"))
  }

  @Test func `Tags: the history in JSON has the added and the removed tags`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--tag", "home")
    _ = stage.answer("edit", "mop", "--tag", "food", "--untag", "home")
    let log = try JSON(parsing: Array(stage.answer("log", "--limit", "1", "--json").utf8))
    let tags = log.array?.first?["fields"]?["tagged"]
    #expect(
      tags == .object(("added", .array([.string("food")])), ("removed", .array([.string("home")]))))
  }

  @Test func `Tags: why and blame name the event of each tag`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--tag", "home")
    _ = stage.answer("edit", "mop", "--tag", "food", "--because", "hungry")
    let why = stage.answer("why", "mop.tags")
    #expect(why.contains(" Mop: tags are food, home.\n"))
    #expect(why.contains("  food: edited by ") && why.contains("    because hungry\n"))
    #expect(why.contains("  home: added by ") && !why.contains("conflict"))
    let blame = stage.answer("blame", "mop").split(separator: "\n")
      .map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    #expect(blame.contains("tags food") && blame.contains("and home"))
  }

  @Test(arguments: [
    (["--tag", "a,b"], ["Both"]), (["--any-tag", "a,b"], ["A", "B", "Both"]),
    (["--any-tag", "b", "--any-tag", "c"], ["B", "Both", "C"]),
    (["--tag", "a", "--any-tag", "b,c"], ["Both"]), (["--any-tag", "x"], []),
  ])
  func `Tags: --tag requires all tags and --any-tag at least one`(
    words: [String], expected: [String]
  ) throws {
    let stage = Stage()
    for (title, tags) in [("A", "a"), ("B", "b"), ("C", "c"), ("Both", "a,b")] {
      _ = stage.answer("add", "todo", title, "--tag", tags)
    }
    let answer = stage.run(["list", "todos", "--json"] + words).output
    let titles = try JSON(parsing: Array(answer.utf8)).array?.compactMap { $0["title"]?.string }
    #expect(titles?.sorted() == expected)
  }
}
