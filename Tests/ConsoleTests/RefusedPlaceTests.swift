import Daybook
import Phrasing
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing

/// Places that cannot be peers: folders inside a book, and this device itself.
struct RefusedPlaceTests {
  @Test(
    "Peers: nothing is put into a folder inside a book",
    arguments: ["logs", "keys", "mine"])
  func insideABook(name: String) throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    let book = "/home/ada/.local/share/daybook/default"
    try stage.disk.makeDirectories(Path("\(book)/\(name)"))
    let folder = "\(book)/\(name)"
    let before = try stage.disk.list(Path(folder))
    let commands = [
      ["sync", folder], ["peer", "add", "x", folder], ["peer", "add", "x", folder, "--sealed"],
      ["-C", "phone", "join", folder, "--yes"],
    ]
    for command in commands {
      let refused = stage.run(command)
      #expect(refused.code == .refused && refused.output == "", "\(command)")
      #expect(
        refused.error.hasSuffix(
          "daybook: \(folder) is inside \(book), which is the folder of a book, "
            + "and other files do not belong there. Use a place outside that folder.\n"),
        "\(command)")
    }
    for command in [["bundle", "\(folder)/b"], ["export", "-o", "\(folder)/b"]] {
      for option in [[], ["--force"]] {
        let refused = stage.run(command + option)
        #expect(refused.code == .refused, "\(command)")
        #expect(
          refused.error.hasPrefix("daybook: \(folder)/b is inside \(book), which"), "\(command)")
      }
    }
    #expect(try stage.disk.list(Path(folder)) == before)
    #expect(stage.answer("peers") == "" && stage.run("verify").code == .done)
    // A file next to those of the book does no harm.
    #expect(stage.answer("export", "-o", "\(book)/todos.jsonl").hasPrefix("Wrote "))
  }

  @Test func `Peers: the address of this device itself is not remembered`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    let folder = Path("/home/ada/.local/share/daybook/default")
    let book = try Book(at: folder, on: stage.machine.machine, view: .memory)
    let token = try book.service.announce(Endpoint(host: "0.0.0.0", port: 7771))
    for address in ["127.0.0.1:7771", "localhost:7771"] {
      for command in [["peer", "add", "backup"], ["sync"], ["join", "--yes"]] {
        let refused = stage.run(command + ["tcp://\(address)"])
        #expect(refused.code == .refused && refused.output == "", "\(command)")
        #expect(
          refused.error == "daybook: \(address) is this device itself, which serves its book "
            + "there, so no second copy would be kept. Use the address of another machine.\n")
      }
    }
    #expect(stage.answer("peers") == "")
    #expect(stage.answer("peer", "add", "desk", "tcp://127.0.0.1:7772").hasPrefix("desk is "))
    book.service.withdraw(token)
    #expect(stage.answer("peer", "add", "tunnel", "tcp://127.0.0.1:7771").hasPrefix("tunnel is "))
  }
}
