import Platform
import Testing

@Suite struct `A path` {
  @Test func `Path: a name can be appended, and each path has a parent`() {
    let path = Path("/home") / "ada"
    #expect(path.string == "/home/ada")
    #expect(path.name == "ada")
    #expect(path.parent == Path("/home"))
    #expect(Path("/home").parent == Path("/"))
    #expect(Path("/").parent == Path("/"))
    #expect(Path("/").name == "/")
    #expect(Path("/") / "a" == Path("/a"))
    #expect(Path("a").parent == Path("."))
    #expect(Path("a/b").parent == Path("a"))
  }

  @Test func `Path: needless slashes are removed`() {
    #expect(Path("/a//b/").string == "/a/b")
    #expect(Path("a//b").string == "a/b")
    #expect(Path("//").string == "/")
    #expect(Path("a/").string == "a")
    #expect(Path("").string == "")
  }

  @Test func `Path: paths are compared by their bytes`() {
    #expect(Path("é") != Path("e\u{301}"))
    #expect(Set([Path("é"), Path("e\u{301}")]).count == 2)
    #expect(Path("e\u{301}") < Path("é"))
    #expect(Path("Z") < Path("a"))
  }

  @Test(arguments: ["", ".", "..", "a/b", "a\0", "/"])
  func `Path: an invalid name is recognised`(name: String) {
    #expect(!Path.isName(name))
  }

  @Test func `Path: a component that leads to the parent traps`() async {
    await #expect(processExitsWith: .failure) { _ = Path("/a") / ".." }
  }

  @Test func `Path: its draft is in the same folder`() {
    #expect(Path("/a/b").draft == Path("/a/.b.draft"))
    #expect(Path("b").draft == Path("./.b.draft"))
  }
}
