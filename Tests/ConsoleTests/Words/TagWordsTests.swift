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
  ])
  func `Tags: signed tags are added and removed, and unsigned tags replace all`(
    words: [String], expected: [String]
  ) throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--tag", "a,b")
    #expect(stage.run(["edit", "mop"] + words).code == .done)
    #expect(try tags(stage) == expected.map { .string($0) })
  }

  @Test func `Tags: a mix of signed and unsigned tags is refused`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--tag", "a,b")
    #expect(
      stage.run("edit", "mop", "--tags", "c,+d")
        == .init(
          code: .refused, output: "",
          error: "daybook: the tags cannot be 'c,+d'. List all tags, as in a,b, or only "
            + "changes, as in +a,-b.\n"))
    #expect(try tags(stage) == ["a", "b"])
  }
}
