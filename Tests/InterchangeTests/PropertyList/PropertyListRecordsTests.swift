import Bytes
import Domain
import Interchange
import Testing

struct PropertyListRecordsTests {
  private func settings(_ name: String) -> ForeignSettings {
    var settings = ForeignSettings()
    settings.fileName = name
    return settings
  }

  private func read(_ text: String, _ name: String = "Items.plist") throws -> ForeignFile {
    try FileFormat.propertyList.read(Array(text.utf8), settings(name))
  }

  private static let items = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <array>
      <dict><key>done</key><true/><key>title</key><string>Find Mike</string></dict>
      <dict><key>done</key><false/><key>title</key><string>Buy Eggos</string></dict>
      <dict><key>done</key><integer>1</integer><key>title</key><string>Buy Eggos</string>
        <key>icon</key><array><string>egg</string><real>1.5</real></array></dict>
      <dict><key>done</key><true/></dict>
      <dict><key>title</key><string>Maybe</string><key>done</key><string>perhaps</string></dict>
      <integer>7</integer>
    </array>
    </plist>
    """

  @Test func `Property list: a file of items becomes a list with its to-dos`() throws {
    let file = try read(Self.items)
    var book = ForeignBook()
    #expect(book.take(file) == .init(added: 3))
    let list = try #require(book.document("Items")).id.uuid
    #expect(
      book.shownWithoutTimes == [
        #"{"kind":"list","name":"Items"}"#,
        #"{"kind":"todo","title":"Find Mike","list":"\#(list)","done":true}"#,
        #"{"kind":"todo","title":"Buy Eggos","list":"\#(list)"}"#,
        #"{"kind":"todo","title":"Buy Eggos","list":"\#(list)","done":true}"#,
      ])
    #expect(
      file.faults == [
        .path("[3]"): .missing("title"), .path("[4]"): .unreadable(field: "done", "perhaps"),
        .path("[5]"): .unreadable(field: "the entry", "7"),
      ])
    #expect(file.records.map(\.extra) == [[:], [:], ["icon": #"["egg","1.5"]"#]])
    let before = book.shown
    #expect(book.take(file) == .init(same: 3))
    #expect(book.shown == before)
  }

  @Test func `Property list: an item checked since the last import completes its to-do`() throws {
    var book = ForeignBook()
    book.take(try read(Self.items))
    let later = Self.items.replacing("<false/>", with: "<true/>")
    #expect(book.take(try read(later)) == .init(edited: 1, same: 2))
    #expect(book.records.documents(.todo).compactMap { Todo($0) }.filter(\.isDone).count == 3)
  }

  @Test(arguments: ["ToDoListArray", "TodoListArray", "todoListArray"])
  func `Property list: preferences of the program contain open to-dos`(key: String) throws {
    let text = """
      <plist><dict><key>\(key)</key><array><string>Find Mike</string><string>Buy Eggos</string>\
      <string>  </string></array><key>AppleLanguages</key><array><string>en</string></array></dict></plist>
      """
    let file = try read(text, "com.example.Todoey.plist")
    var book = ForeignBook()
    #expect(book.take(file) == .init(added: 2))
    #expect(
      Set(book.shown) == [
        #"{"kind":"todo","title":"Find Mike"}"#, #"{"kind":"todo","title":"Buy Eggos"}"#,
      ])
    #expect(file.faults == [.path("\(key)[2]"): .missing("title")])
    #expect(file.passedOver == [.otherEntry: 1])
  }

  @Test func `Property list: the list is named after the file`() throws {
    let text = """
      <plist><array><dict><key>title</key><string>a</string><key>done</key><true/></dict></array></plist>
      """
    let lists = try ["Items.plist", "Shopping.PLIST", ".plist", "x.txt"].map { name in
      try read(text, name).records.map { $0.fields[Field.Todo.list] }
    }
    #expect(
      lists == [
        [.list(named: "Items")], [.list(named: "Shopping")], [.list(named: "Items")],
        [.list(named: "Items")],
      ])
  }

  private static let refused: [(String, ForeignFault)] = [
    (
      "<plist><dict><key>$archiver</key><string>NSKeyedArchiver</string></dict></plist>",
      .unsupported("an archive of a program's own objects (NSKeyedArchiver)")
    ),
    (
      "<plist><dict><key>ToDoListArray</key><data>AP8=</data></dict></plist>",
      .unsupported("an archive of a program's own objects (NSKeyedArchiver)")
    ),
    (
      "<plist><dict><key>other</key><true/></dict></plist>",
      .missing("an array of to-dos, or an array under the key 'ToDoListArray'")
    ),
    (
      "<plist><string>word</string></plist>",
      .missing("an array of to-dos, or an array under the key 'ToDoListArray'")
    ),
    (
      "<plist><dict><key>ToDoListArray</key><string>word</string></dict></plist>",
      .unreadable(field: "ToDoListArray", "word")
    ),
    ("<plist>\n<array>", .broken("it ends too early (line 2)")),
    (
      "( a )",
      .broken(
        "the old form with braces, which is not supported ('plutil -convert xml1 FILE' on a Mac converts it to XML), "
          + "in line 1")
    ),
    ("<plist><array><string>&x;</string>", .broken("an entity that XML does not define in line 1")),
    ("<plist>" + String(repeating: "<array>", count: 200_000), .tooDeep(limit: 64)),
  ]

  @Test(arguments: refused)
  func `Property list: a file without known content is refused with the reason`(
    text: String, fault: ForeignFault
  ) {
    #expect(throws: fault) { try read(text) }
  }
}
