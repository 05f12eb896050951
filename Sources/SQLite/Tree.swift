/// The pages of a b-tree, which name each other by their places among them.
package struct Tree: Sendable {
  /// The page at the top, which is none of the others.
  private(set) var top: [UInt8] = []
  /// All others, one behind the other.
  private(set) var pages: [UInt8] = []
  // Where page numbers stand in them.
  private var topPointers: [Int] = []
  private var pointers: [Int] = []

  var pageCount: UInt32 { UInt32(pages.count / PageDraft.size) }

  /// Makes room for the pages that records of so many bytes are likely to take.
  mutating func reserveCapacity(forBytes count: Int) {
    pages.reserveCapacity(count + count / 8)
  }

  /// Adds a page, and tells its place.
  mutating func add(_ page: PageDraft) -> UInt32 {
    let place = pageCount
    for pointer in page.pointers { pointers.append(pages.count + pointer) }
    pages += page.bytes
    return place
  }

  /// Adds a page with nothing but a part of a record; the next part, if there is one, is on the next page.
  mutating func addOverflow(_ part: Span<UInt8>, isLast: Bool) {
    let start = pages.count
    pages += repeatElement(0, count: PageDraft.linkLength)
    if !isLast {
      pages.setPageNumber(pageCount + 1, at: start)
      pointers.append(start)
    }
    unsafe part.withUnsafeBufferPointer { unsafe pages.append(contentsOf: $0) }
    pages += repeatElement(0, count: start + PageDraft.size - pages.count)
  }

  mutating func setTop(_ page: PageDraft) { (top, topPointers) = (page.bytes, page.pointers) }

  /// Names each page by the number that its place has in a file.
  mutating func renumber(_ number: (UInt32) -> UInt32) {
    for pointer in topPointers {
      top.setPageNumber(number(top.pageNumber(at: pointer)), at: pointer)
    }
    for pointer in pointers {
      pages.setPageNumber(number(pages.pageNumber(at: pointer)), at: pointer)
    }
    (topPointers, pointers) = ([], [])
  }

  /// Leaves a page free.
  mutating func skipPage(at place: UInt32) {
    pages.insert(
      contentsOf: repeatElement(0, count: PageDraft.size), at: Int(place) * PageDraft.size)
  }
}
