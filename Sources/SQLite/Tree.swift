/// The pages of a b-tree, which refer to each other by their indices.
package struct Tree: Sendable {
  /// The top page, which is not one of ``pages``.
  private(set) var top: [UInt8] = []
  /// All other pages, concatenated.
  private(set) var pages: [UInt8] = []
  // The offsets of the page numbers in the pages.
  private var topPointers: [Int] = []
  private var pointers: [Int] = []

  var pageCount: UInt32 { UInt32(pages.count / PageDraft.size) }

  /// Reserves memory for the pages that records of this size are likely to need.
  mutating func reserveCapacity(forBytes count: Int) {
    pages.reserveCapacity(count + count / 8)
  }

  /// Adds a page and returns its index.
  mutating func add(_ page: PageDraft) -> UInt32 {
    let place = pageCount
    for pointer in page.pointers { pointers.append(pages.count + pointer) }
    pages += page.bytes
    return place
  }

  /// Adds an overflow page with a part of a record.
  ///
  /// If there is another part, it must be on the next page.
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

  /// Replaces the indices of pages with their page numbers in a file.
  mutating func renumber(_ number: (UInt32) -> UInt32) {
    for pointer in topPointers {
      top.setPageNumber(number(top.pageNumber(at: pointer)), at: pointer)
    }
    for pointer in pointers {
      pages.setPageNumber(number(pages.pageNumber(at: pointer)), at: pointer)
    }
    (topPointers, pointers) = ([], [])
  }

  /// Inserts an unused page.
  mutating func skipPage(at place: UInt32) {
    pages.insert(
      contentsOf: repeatElement(0, count: PageDraft.size), at: Int(place) * PageDraft.size)
  }
}
