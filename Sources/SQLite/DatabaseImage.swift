/// A database as the bytes of its file, of which SQLite made the beginning with the schema, and others the b-trees.
package struct DatabaseImage: ~Copyable {
  /// What SQLite made, with the tops of the b-trees that were planted since.
  package private(set) var beginning: [UInt8]
  private var pageCount: UInt32

  // Where the header has what.
  private static let formatPlaces = 18...19
  private static let pageCountPlace = 28
  private static let largestRootPlace = 52
  private static let writeAhead: UInt8 = 2
  /// SQLite leaves the page alone in which it locks its files.
  private static let lockPage = UInt32((1 << 30) / PageDraft.size + 1)

  /// Takes the file of a database that SQLite made, with empty b-trees where others are going to be.
  package init(_ beginning: [UInt8]) {
    precondition(beginning.count.isMultiple(of: PageDraft.size), "a file has pages of one size")
    precondition(
      beginning[Self.largestRootPlace..<Self.largestRootPlace + 4].allSatisfy { $0 == 0 },
      "no page lists what the others are for")
    self.beginning = beginning
    pageCount = UInt32(beginning.count / PageDraft.size)
  }

  /// Puts a b-tree in the place of an empty one.
  ///
  /// - Parameters:
  ///   - tree: The b-tree.
  ///   - root: The number of the page at the top of the empty one.
  /// - Returns: The pages that come behind all others, but for the one at the top.
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

  /// Says that the file is kept with a write-ahead log.
  package mutating func keepWriteAheadLog() {
    for place in Self.formatPlaces { beginning[place] = Self.writeAhead }
  }
}
