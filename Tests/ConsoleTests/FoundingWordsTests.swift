import Bytes
import Console
import Phrasing
import Testing

/// What `found` says about the devices that the new book includes and leaves out.
struct FoundingWordsTests {
  /// Three devices of one book: book has revoked desk and phone, and desk, this device, has revoked book.
  private func mutualRevocation() throws -> Stage {
    let stage = try Stage.trio()
    _ = stage.answer("-C", "book", "add", "todo", "Honest")
    stage.meetAll()
    _ = stage.answer("-C", "book", "device", "revoke", "desk", "--yes")
    _ = stage.answer("device", "revoke", "book", "--yes")
    _ = stage.run("-C", "book", "sync", "stick")
    _ = stage.run("sync", "stick")
    return stage
  }

  private func events(of name: String, in stage: Stage) throws -> Int64 {
    let device = try stage.devices().first { $0["name"]?.string == name }
    return try #require(device?["events"]?.integer)
  }

  @Test func `Found: included devices that an included device revoked are named`() throws {
    let stage = try mutualRevocation()
    let own = try stage.devices().first { $0["isThis"] == true }
    let desk = try #require(own?["fingerprint"]?.string)
    let (phone, book) = (try stage.words(in: "phone"), try stage.words(in: "book"))
    let command = ["found", "--with", "phone", "--with", "book"]
    let asked = stage.run(command)
    #expect(asked.code == .refused)
    let phoneStays = "phone (\(phone)) stays revoked, because book revoked it."
    let bookStays =
      "book (\(book)) stays revoked, because desk revoked it, and 2 of its events do not count."
    let deskInPart =
      "1 event of desk (\(desk)) does not count, because an included device has revoked that device."
    #expect(
      asked.error
        == "daybook: Begin a new book with the logs of desk (\(desk)), phone (\(phone)), book (\(book))? "
        + "\(phoneStays) To keep phone, leave out book. \(bookStays) \(deskInPart) "
        + "Add --yes to confirm.\n")
    let told = stage.run(command + ["--yes"])
    #expect(told.code == .done)
    let advice =
      "To rejoin, run 'daybook device rekey' on that device, and admit its new key."
    #expect(
      told.error
        == "daybook: \(phoneStays)\n\(advice)\ndaybook: \(bookStays)\n\(advice)\n"
        + "daybook: \(deskInPart)\n")
    let revoked = try stage.devices().filter { $0["standing"] == "revoked" }
    #expect(
      Set(revoked.map { $0["fingerprint"]?.string }) == [desk, phone, book])
  }

  @Test func `Found: the events that are left out are counted before and after`() throws {
    let stage = try mutualRevocation()
    let (phone, book) = (try stage.words(in: "phone"), try stage.words(in: "book"))
    let left = "book (\(book)) with \(try events(of: "book", in: stage)) events"
    let asked = stage.run("found", "--with", "phone")
    #expect(asked.error.contains(", phone (\(phone))? Left out for good: \(left). Add --yes"))
    let told = stage.run("found", "--with", "phone", "--yes")
    #expect(
      told.output.contains("Left out: \(left). Logs that are left out are kept but do not count.\n")
    )
    #expect(told.error.isEmpty)
    #expect(!stage.answer("list", "todos").contains("Honest"))
    let listed = try stage.devices().first { $0["fingerprint"]?.string == phone }
    #expect(listed?["standing"] == "admitted")
  }

  @Test(arguments: [["phone"], ["book"], ["phone", "book"], []])
  func `Found: the forecast agrees with the book that is founded`(included: [String]) throws {
    let stage = try mutualRevocation()
    let words = try included.map { (name: $0, words: try stage.words(in: $0)) }
    let founded = stage.run(
      ["found", "--yes", "--json"] + included.flatMap { ["--with", $0] })
    #expect(founded.code == .done)
    let json = try JSON(parsing: Array(founded.output.utf8))
    let devices = try stage.devices()
    let cut = devices.compactMap { $0["cut"]?.integer }.reduce(0, +)
    #expect(json["uncounted"]?.integer == cut)
    let revoked = words.filter { included in
      devices.contains {
        $0["fingerprint"]?.string == included.words && $0["standing"] == "revoked"
      }
    }
    #expect(json["revoked"]?.array?.compactMap { $0.string } == revoked.map(\.name))
  }
}
