/// A database file whose first part, including the schema, was written by SQLite, and whose b-trees were built
/// separately.
package struct DatabaseImage: ~Copyable {
  /// The part that SQLite wrote, with the top pages of the added b-trees.
  package private(set) var beginning: [UInt8]
  private var pageCount: UInt32

  // Offsets in the file header.
  private static let formatPlaces = 18...19
  private static let pageCountPlace = 28
  private static let largestRootPlace = 52
  private static let writeAhead: UInt8 = 2
  /// The page that contains SQLite's lock bytes, which SQLite does not use otherwise.
  private static let lockPage = UInt32((1 << 30) / PageDraft.size + 1)

  /// Creates an image from a file that SQLite wrote and that contains an empty b-tree in place of each b-tree to add.
  package init(_ beginning: [UInt8]) {
    precondition(beginning.count.isMultiple(of: PageDraft.size), "a file has pages of one size")
    precondition(
      beginning[Self.largestRootPlace..<Self.largestRootPlace + 4].allSatisfy { $0 == 0 },
      "the file has no pointer map pages")
    self.beginning = beginning
    pageCount = UInt32(beginning.count / PageDraft.size)
  }

  /// Replaces an empty b-tree.
  ///
  /// - Parameters:
  ///   - tree: The b-tree.
  ///   - root: The page number of the empty b-tree's top page.
  /// - Returns: The pages of the b-tree except its top page, to be appended to the file.
  package mutating func plant(_ tree: consuming Tree, at root: Int) -> [UInt8] {
    let first = pageCount + 1
    if tree.pageCount > 0, first...first + tree.pageCount - 1 ~= Self.lockPage {
      tree.renumber { first + $0 + (first + $0 < Self.lockPage ? 0 : 1) }
      tree.skipPage(at: Self.lockPage - first)
    } else {
      tree.renumber { first + $0 }
    }
    let start = (root - 1) * PageDraft.size
    beginning.replaceSubrange(start..<start + PageDraft.size, with: tree.top)
    pageCount += tree.pageCount
    beginning.setPageNumber(pageCount, at: Self.pageCountPlace)
    return tree.pages
  }

  /// Marks the file as a database with a write-ahead log.
  package mutating func keepWriteAheadLog() {
    for place in Self.formatPlaces { beginning[place] = Self.writeAhead }
  }
}
