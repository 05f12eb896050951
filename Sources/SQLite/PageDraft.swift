/// A page of a b-tree of records, whose cells are written from the end of the page to its beginning.
struct PageDraft {
  /// A removed cell.
  struct Cell {
    /// The length of the record, followed by the part of the record that is in the cell.
    var entry: [UInt8]
    /// The top page of the subtree whose records come directly before this record; nil in a leaf.
    var child: UInt32?
    /// The first of the pages that contain the rest of the record; nil if the whole record is in the cell.
    var overflow: UInt32?
  }

  /// The length of a page.
  static let size = 4096

  private(set) var bytes = [UInt8](repeating: 0, count: size)
  /// The offsets of the page numbers in the page.
  private(set) var pointers: [Int] = []
  private let isLeaf: Bool
  private var count = 0
  private var content = size

  /// The length of a page number.
  static let linkLength = 4
  private static let leafKind: UInt8 = 0x0A
  private static let innerKind: UInt8 = 0x02
  // Offsets in the page header.
  private static let countPlace = 3
  private static let contentPlace = 5
  private static let rightPlace = 8

  init(isLeaf: Bool) {
    self.isLeaf = isLeaf
    bytes[0] = isLeaf ? Self.leafKind : Self.innerKind
    write(content, at: Self.contentPlace)
  }

  private var headerLength: Int { isLeaf ? 8 : 12 }

  /// Returns whether the page has space for a cell with an entry of the given length.
  func hasRoom(forEntry length: Int, overflows: Bool) -> Bool {
    let cell = length + (isLeaf ? 0 : Self.linkLength) + (overflows ? Self.linkLength : 0)
    return headerLength + 2 * (count + 1) + cell <= content
  }

  /// Appends a cell, for which there must be space.
  mutating func append(_ entry: Span<UInt8>, child: UInt32? = nil, overflow: UInt32? = nil) {
    precondition(isLeaf == (child == nil), "inner pages have children, and leaves have none")
    precondition(entry.count >= Self.linkLength, "a record has at least two columns")
    if let overflow { prepend(overflow) }
    content -= entry.count
    let start = content
    unsafe bytes.withUnsafeMutableBytes { page in
      unsafe entry.withUnsafeBytes { entry in
        unsafe UnsafeMutableRawBufferPointer(rebasing: page[start...]).copyMemory(from: entry)
      }
    }
    if let child { prepend(child) }
    write(content, at: headerLength + 2 * count)
    count += 1
    write(count, at: Self.countPlace)
    write(content, at: Self.contentPlace)
  }

  /// Removes the last cell.
  mutating func removeLast() -> Cell {
    precondition(count > 1, "any page has space for four cells")
    let before = number(at: headerLength + 2 * (count - 2))
    var (start, end) = (content, before)
    var cell = Cell(entry: [])
    if pointers.last == content {
      (cell.child, start) = (bytes.pageNumber(at: content), content + Self.linkLength)
      pointers.removeLast()
    }
    if let last = pointers.last, last == end - Self.linkLength {
      (cell.overflow, end) = (bytes.pageNumber(at: last), last)
      pointers.removeLast()
    }
    cell.entry = Array(bytes[start..<end])
    for place in content..<before { bytes[place] = 0 }
    content = before
    count -= 1
    write(0, at: headerLength + 2 * count)
    write(count, at: Self.countPlace)
    write(content, at: Self.contentPlace)
    return cell
  }

  /// Sets the top page of the subtree with all records after the last cell.
  mutating func setRight(_ page: UInt32) {
    precondition(!isLeaf, "leaves have no children")
    bytes.setPageNumber(page, at: Self.rightPlace)
    pointers.append(Self.rightPlace)
  }

  private mutating func prepend(_ page: UInt32) {
    content -= Self.linkLength
    bytes.setPageNumber(page, at: content)
    pointers.append(content)
  }

  private mutating func write(_ number: Int, at place: Int) {
    bytes[place] = UInt8(truncatingIfNeeded: number >> 8)
    bytes[place + 1] = UInt8(truncatingIfNeeded: number)
  }

  private func number(at place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
}
