/// Checks the b-trees of a foreign database before SQLite traverses them.
///
/// SQLite's check for damage recurses for each level of a b-tree, and its cursors would endlessly traverse a tree that
/// contains itself. This check visits each page once, using a list of pages to visit.
struct TreeSurvey {
  /// The top page of the schema.
  static let schemaRoot: Int64 = 1
  /// The greatest depth that SQLite's cursors support.
  private static let mostLevels = 20

  private let bytes: [UInt8]
  private let pageBytes: Int
  /// Whether each page, counted from 0, belongs to a tree that has been checked.
  private var isTaken: [Bool]

  /// Prepares the check of a database; nil if the bytes contain no valid pages, in which case SQLite itself rejects
  /// them.
  init?(_ bytes: [UInt8]) {
    guard let pageBytes = WriteAheadLog.pageBytes(of: bytes), (512...65_536).contains(pageBytes),
      bytes.starts(with: "SQLite format 3\0".utf8), bytes.count.isMultiple(of: pageBytes)
    else { return nil }
    (self.bytes, self.pageBytes) = (bytes, pageBytes)
    isTaken = Array(repeating: false, count: bytes.count / pageBytes)
  }

  /// Checks a tree.
  ///
  /// - Parameter root: The number of the tree's top page, counted from 1.
  /// - Throws: ``SQLiteError`` if a page does not exist, belongs to two trees, occurs twice in one tree, cannot be a
  ///   page of a tree, or is too deep.
  mutating func walk(from root: Int64) throws(SQLiteError) {
    var waiting = [(page: root, level: 1)]
    while let (page, level) = waiting.popLast() {
      guard page >= 1, page <= isTaken.count else { throw .corrupt("there is no page \(page)") }
      guard level <= Self.mostLevels else {
        throw .corrupt("page \(page) is more than \(Self.mostLevels) levels deep in its tree")
      }
      guard !isTaken[Int(page) - 1] else { throw .corrupt("page \(page) is used twice") }
      isTaken[Int(page) - 1] = true
      for child in try children(of: Int(page)) { waiting.append((child, level + 1)) }
    }
  }

  private func children(of page: Int) throws(SQLiteError) -> [Int64] {
    let start = (page - 1) * pageBytes
    // The first page begins with the file header.
    let header = page == 1 ? start + 100 : start
    switch bytes[header] {
    case 10, 13: return []
    case 2, 5: break
    default: throw .corrupt("page \(page) belongs to no tree")
    }
    let count = short(at: header + 3)
    guard header + 12 + 2 * count <= start + pageBytes else {
      throw .corrupt("page \(page) has too many cells")
    }
    var children = [pageNumber(at: header + 8)]
    for place in 0..<count {
      let cell = short(at: header + 12 + 2 * place)
      guard cell + 4 <= pageBytes else { throw .corrupt("a cell is outside page \(page)") }
      children.append(pageNumber(at: start + cell))
    }
    return children
  }

  private func short(at place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }

  private func pageNumber(at place: Int) -> Int64 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int64($1) }
  }
}
