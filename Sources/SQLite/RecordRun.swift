/// Rows as records of one b-tree, with what they are sorted by there.
///
/// Runs of one b-tree can be filled on several threads, each by itself.
package struct RecordRun: Sendable {
  /// Where a record and its sort key end; they begin where those before end.
  private struct End {
    let record: Int
    let key: Int
  }

  /// As SQLite has them in a cell, each behind its length.
  private var records: [UInt8] = []
  private var keys: [UInt8] = []
  private var ends: [End] = []

  package init() {}

  /// How many bytes the records take.
  package var byteCount: Int { records.count }

  /// Puts a row behind the others.
  ///
  /// - Parameters:
  ///   - row: The values of all columns.
  ///   - columns: Which of them the b-tree has.
  ///   - order: Which of these it is sorted by, where the rows do not come in its order.
  package mutating func append(
    _ row: borrowing PackedRow, _ columns: Span<Range<Int>>, sortedBy order: Span<Range<Int>>
  ) {
    row.appendRecord(of: columns, to: &records)
    if !order.isEmpty { row.appendKey(of: order, to: &keys) }
    ends.append(End(record: records.count, key: keys.count))
  }

  /// Makes room for so many times what is there, and some more.
  package mutating func reserveCapacity(forTimes factor: Int) {
    // Growing step by step, bytes are moved and memory is first touched several times over.
    func room(for count: Int) -> Int { min(count * factor / 8 * 9, Self.mostReserved) }
    records.reserveCapacity(room(for: records.count))
    keys.reserveCapacity(room(for: keys.count))
    ends.reserveCapacity(room(for: ends.count))
  }

  /// The first rows may be much larger than the rest.
  private static let mostReserved = 1 << 21

  private static func record(_ place: Int, _ ends: [End]) -> Range<Int> {
    (place == 0 ? 0 : ends[place - 1].record)..<ends[place].record
  }

  private static func key(_ place: Int, _ ends: [End]) -> Range<Int> {
    (place == 0 ? 0 : ends[place - 1].key)..<ends[place].key
  }
}

extension RecordRun {
  /// One record of several runs, and the first sixteen bytes of its sort key.
  private struct Reference {
    let high: UInt64
    let low: UInt64
    let run: UInt32
    let place: UInt32
  }

  /// The b-tree of all records of some runs, which come in order.
  package static func tree(of runs: [RecordRun], sorting isSorted: Bool) -> Tree {
    var builder = TreeBuilder(forBytes: runs.reduce(0) { $0 + $1.byteCount })
    guard isSorted else {
      for run in runs {
        let bytes = run.records.span
        for place in run.ends.indices { builder.append(bytes.extracting(record(place, run.ends))) }
      }
      return builder.finish()
    }
    // Of a run nothing is copied for a record but what says where it lies.
    let (bytes, ends) = (runs.map(\.records), runs.map(\.ends))
    for reference in sorted(runs) {
      let (run, place) = (Int(reference.run), Int(reference.place))
      let bytes = bytes[run]
      builder.append(bytes.span.extracting(record(place, ends[run])))
    }
    return builder.finish()
  }

  private static func sorted(_ runs: [RecordRun]) -> [Reference] {
    var references: [Reference] = []
    references.reserveCapacity(runs.reduce(0) { $0 + $1.ends.count })
    for (number, run) in runs.enumerated() {
      for place in run.ends.indices {
        let key = key(place, run.ends)
        references.append(
          Reference(
            high: word(of: run.keys, key), low: word(of: run.keys, key.dropFirst(8)),
            run: UInt32(number), place: UInt32(place)))
      }
    }
    references.sort { left, right in
      if left.high != right.high { return left.high < right.high }
      if left.low != right.low { return left.low < right.low }
      return rest(of: left, runs).lexicographicallyPrecedes(rest(of: right, runs))
    }
    return references
  }

  private static func rest(of reference: Reference, _ runs: [RecordRun]) -> ArraySlice<UInt8> {
    let (run, place) = (Int(reference.run), Int(reference.place))
    return runs[run].keys[key(place, runs[run].ends).dropFirst(16)]
  }

  /// The first eight bytes of a range as a number, with zeros behind a shorter one.
  private static func word(of bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
    var word: UInt64 = 0
    for byte in bytes[range.prefix(8)] { word = word << 8 | UInt64(byte) }
    return word << (8 * UInt64(8 - min(8, range.count)))
  }
}
