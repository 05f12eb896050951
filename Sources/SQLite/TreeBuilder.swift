/// Builds a b-tree of records that come in order, as indexes and tables without row ids are kept.
///
/// Each page is filled before the next is begun, and the record between two pages goes into the page above, as
/// SQLite's description of its files has it. To insert the same rows takes SQLite several times as long, since it
/// looks for the place of each and cannot use two cores.
package struct TreeBuilder {
  /// The page that is being filled, of each level, leaves first.
  private var levels = [PageDraft(isLeaf: true)]
  private var tree = Tree()

  /// The longest record that lies whole in its cell, and how little of a longer one may.
  private static let mostInCell = (PageDraft.size - 12) * 64 / 255 - 23
  private static let leastInCell = (PageDraft.size - 12) * 32 / 255 - 23
  /// What of a record lies in one of the pages for the rest of it.
  private static let overflowLength = PageDraft.size - PageDraft.linkLength

  /// Begins a b-tree.
  ///
  /// - Parameter count: How many bytes all records are likely to take.
  package init(forBytes count: Int = 0) { tree.reserveCapacity(forBytes: count) }

  /// Puts a record behind the others, as a ``PackedRow`` spelled it.
  package mutating func append(_ record: Span<UInt8>) {
    let (head, length) = Self.length(of: record)
    guard length > Self.mostInCell else { return append(record, overflow: nil) }
    let rest = Self.leastInCell + (length - Self.leastInCell) % Self.overflowLength
    let kept = head + (rest <= Self.mostInCell ? rest : Self.leastInCell)
    let overflow = spill(record.extracting(kept...))
    append(record.extracting(..<kept), overflow: overflow)
  }

  /// The tree of all that was put in.
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

  /// Ends a page; its last record goes up, so that none is left empty.
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

  /// Puts the rest of a record into pages of its own, and gives the first.
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

  /// How long a record is, and how many bytes tell that.
  private static func length(of record: Span<UInt8>) -> (head: Int, length: Int) {
    var (head, length) = (0, 0)
    repeat {
      length = length << 7 | Int(record[head] & 0x7F)
      head += 1
    } while record[head - 1] & 0x80 != 0
    return (head, length)
  }
}
