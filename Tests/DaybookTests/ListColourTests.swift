import Bytes
import Daybook
import Domain
import Interchange
import ReadModel
import Testing

/// The colours of lists that are added without a colour.
struct ListColourTests {
  private func colours(_ book: Book) throws -> [Int64?] {
    try book.view().lists.lists().map(\.colour)
  }

  @Test
  func `Colours: lists that are added without one get different ones, however they are added`()
    throws
  {
    let book = try Desk(seed: 1_301).found()
    try book.addList("A")
    _ = try book.commands.perform(
      .addTodo(title: "Mop", list: .new(name: "B"), priority: nil, due: nil))
    try book.addList("C", colour: Int(ListColour.palette[2]))
    _ = try book.commands.perform(.addList(name: "D", colour: nil))
    #expect(try colours(book) == [0, 1, 2, 3].map { ListColour.palette[$0] })
  }

  @Test func `Colours: those of deleted lists are free again`() throws {
    let book = try Desk(seed: 1_302).found()
    let lists = try ["A", "B", "C"].map { try book.addList($0) }
    try book.delete(lists[1])
    try book.addList("D")
    #expect(try colours(book) == [0, 2, 1].map { ListColour.palette[$0] })
    try book.undoLast()
    try book.addList("E")
    #expect(try colours(book) == [0, 2, 1].map { ListColour.palette[$0] })
  }

  @Test func `Colours: books with the same records give the same one`() throws {
    let pair = try LibraryPair(seed: 1_303)
    try pair.laptop.addList("A")
    try pair.exchange()
    for book in [pair.laptop, pair.phone] { try book.addList("B") }
    try pair.exchange()
    #expect(try colours(pair.phone) == [0, 1, 1].map { ListColour.palette[$0] })
    let ids = try pair.phone.view().lists.lists().map(\.head.id)
    _ = try pair.phone.commands.perform(.merge(ids[1], ids[2]))
    #expect(try pair.phone.conflicts() == [])
  }

  @Test func `Colours: an imported list without one has none`() throws {
    let desk = try Desk(seed: 1_304)
    let book = try desk.found()
    let line = #"{"op": "add", "kind": "list", "id": "a", "name": "Home"}"#
    _ = try book.importer.importOperations(Array(line.utf8))
    #expect(try colours(book) == [nil])
    let lines = try book.exporter.exportOperations(.state).map(\.line)
    let other = try Desk(seed: 1_305).found()
    _ = try other.importer.importOperations(Array(lines.joined(separator: "\n").utf8))
    #expect(try colours(other) == [nil])
  }
}
