import Foundation
import SQLite

/// A database with one table, whose pages are changed in ways that SQLite never writes.
struct HostilePages {
  static let size = 512
  /// The root page of the table.
  let root = 2
  var bytes: [UInt8]

  init() throws {
    let folder = try Folder()
    let path = folder.path("hostile")
    try Connection(.file(path, .readWriteCreate)).execute(
      "PRAGMA page_size = \(Self.size); CREATE TABLE kept (value INTEGER)")
    bytes = try Self.read(path)
  }

  static func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  /// Adds an empty leaf.
  ///
  /// - Returns: The number of the leaf.
  mutating func addLeaf() -> Int {
    bytes += [13, 0, 0, 0, 0, 2, 0, 0] + Array(repeating: 0, count: Self.size - 8)
    return bytes.count / Self.size
  }

  /// Turns a page into an interior page of a table.
  mutating func makeInterior(_ page: Int, children: [Int]) {
    let start = (page - 1) * Self.size
    let header = page == 1 ? 100 : 0
    var cells: [UInt8] = []
    var pointers: [UInt8] = []
    for (place, child) in children.dropLast().enumerated() {
      let cell = Self.size - 5 * (place + 1)
      pointers += [UInt8(cell >> 8), UInt8(cell & 0xff)]
      cells = Self.number(child) + [UInt8(place)] + cells
    }
    let content = Self.size - cells.count
    var page: [UInt8] = [5, 0, 0, 0, UInt8(children.count - 1)]
    page += [UInt8(content >> 8), UInt8(content & 0xff), 0] + Self.number(children.last ?? 0)
    page += pointers
    page += Array(repeating: 0, count: Self.size - header - page.count - cells.count) + cells
    bytes.replaceSubrange(start + header..<start + Self.size, with: page)
  }

  /// Makes a chain of pages, each pointing to the next, down to a leaf.
  mutating func chain(from page: Int, levels: Int) {
    var page = page
    bytes.reserveCapacity(bytes.count + levels * Self.size)
    for _ in 1..<levels {
      let next = addLeaf()
      makeInterior(page, children: [next])
      page = next
    }
  }

  private static func number(_ page: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: page >> $0) }
  }
}
