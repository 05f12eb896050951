import Console
import Phrasing
import Platform
import Testing

/// A file exchanged between two books.
struct OtherBookTests {
  private static let file = Path("/home/ada/todo.txt")

  private static func hand(_ from: Stage, _ to: Stage) throws {
    from.run("export", "-o", "todo.txt", "--force")
    let text = try OpenFile(file, .read, on: from.disk)
    let bytes = try text.read(at: 0, count: 10_000)
    try text.close()
    try to.disk.makeDirectories(Path("/home/ada"))
    try to.disk.replace(file, with: bytes)
  }

  @Test func `Import: changes of both books are merged and a conflict is reported`()
    throws
  {
    let (ada, bob) = (Stage(seed: 1), Stage(seed: 2))
    try ada.disk.makeDirectories(Path("/home/ada"))
    ada.run("add", "todo", "Mop")
    ada.run("add", "todo", "Sow")
    try Self.hand(ada, bob)
    bob.run("import", "todo.txt")
    bob.run("done", "Mop")
    bob.run("edit", "Sow", "--title", "Sow beans")
    try Self.hand(bob, ada)
    #expect(
      ada.run("import", "todo.txt")
        == .init(
          code: .done,
          output:
            "Read 2 records as todo.txt: edited 2. To undo this import, run 'daybook undo'.\n",
          error: ""))
    ada.run("edit", "Sow beans", "--title", "Sow peas")
    bob.run("edit", "Sow beans", "--title", "Sow corn")
    try Self.hand(bob, ada)
    let told = ada.run("import", "todo.txt")
    #expect(told.code == .done)
    #expect(
      told.error == """
        daybook: line 2: title of 'Sow peas' was changed in both the book and the file; the book keeps 'Sow peas', \
        and the file contains 'Sow corn'.

        """)
    #expect(
      told.output == """
        The book keeps its values. Change that field by hand, or use --file-wins to use the values in the file.
        Read 2 records as todo.txt: 1 unchanged, kept other data of 1 record as text, left 1 field unchanged. \
        To undo this import, run 'daybook undo'.

        """)
    ada.run("import", "todo.txt", "--file-wins")
    #expect(ada.answer("list", "todos").contains("Sow corn"))
  }
}
