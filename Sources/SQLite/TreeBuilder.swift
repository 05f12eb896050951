/// Builds a b-tree from sorted records, in the format of indexes and `WITHOUT ROWID` tables.
///
/// Each page is filled before the next one is begun, and the record between two pages moves to the page above, as
/// SQLite's file format requires. Inserting the same rows with SQLite takes several times as long, because SQLite
/// searches for the position of each row and cannot use two cores.
package struct TreeBuilder {
  /// The unfinished page of each level, leaves first.
  private var levels = [PageDraft(isLeaf: true)]
  private var tree = Tree()

  /// The maximum length of a record that is stored completely in its cell, and the minimum length of the part of a
  /// longer record that is in the cell.
  private static let mostInCell = (PageDraft.size - 12) * 64 / 255 - 23
  private static let leastInCell = (PageDraft.size - 12) * 32 / 255 - 23
  /// The number of bytes of a record in an overflow page.
  private static let overflowLength = PageDraft.size - PageDraft.linkLength

  /// Begins a b-tree.
  ///
  /// - Parameter count: The likely size of all records in bytes.
  package init(forBytes count: Int = 0) { tree.reserveCapacity(forBytes: count) }

  /// Appends a record, as ``PackedRow`` encodes it.
  package mutating func append(_ record: Span<UInt8>) {
    let (head, length) = Self.length(of: record)
    guard length > Self.mostInCell else { return append(record, overflow: nil) }
    let rest = Self.leastInCell + (length - Self.leastInCell) % Self.overflowLength
    let kept = head + (rest <= Self.mostInCell ? rest : Self.leastInCell)
    let overflow = spill(record.extracting(kept...))
    append(record.extracting(..<kept), overflow: overflow)
  }

  /// Returns the finished b-tree.
  package consuming func finish() -> Tree {
    var right: UInt32?
    for level in levels.indices {
      if let right { levels[level].setRight(right) }
      if level < levels.count - 1 { right = tree.add(levels[level]) }
    }
    tree.setTop(levels[levels.count - 1])
    return tree
  }

  private mutating func append(_ entry: Span<UInt8>, overflow: UInt32?) {
    if !levels[0].hasRoom(forEntry: entry.count, overflows: overflow != nil) { divide(0) }
    levels[0].append(entry, overflow: overflow)
  }

  /// Ends a page.
  ///
  /// The page's last record moves to the page above, so no page is empty.
  private mutating func divide(_ level: Int) {
    var divider = levels[level].removeLast()
    if let child = divider.child { levels[level].setRight(child) }
    divider.child = tree.add(levels[level])
    levels[level] = PageDraft(isLeaf: level == 0)
    put(divider, in: level + 1)
  }

  private mutating func put(_ cell: PageDraft.Cell, in level: Int) {
    if level == levels.count { levels.append(PageDraft(isLeaf: false)) }
    let overflows = cell.overflow != nil
    if !levels[level].hasRoom(forEntry: cell.entry.count, overflows: overflows) { divide(level) }
    levels[level].append(cell.entry.span, child: cell.child, overflow: cell.overflow)
  }

  /// Writes the rest of a record to overflow pages, and returns the first of these pages.
  private mutating func spill(_ rest: Span<UInt8>) -> UInt32 {
    let first = tree.pageCount
    var start = 0
    while start < rest.count {
      let end = min(start + Self.overflowLength, rest.count)
      tree.addOverflow(rest.extracting(start..<end), isLast: end == rest.count)
      start = end
    }
    return first
  }

  /// Returns the length of the given record, and the number of bytes that encode this length.
  private static func length(of record: Span<UInt8>) -> (head: Int, length: Int) {
    var (head, length) = (0, 0)
    repeat {
      length = length << 7 | Int(record[head] & 0x7F)
      head += 1
    } while record[head - 1] & 0x80 != 0
    return (head, length)
  }
}
