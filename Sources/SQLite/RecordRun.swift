/// Rows encoded as records of one b-tree, together with their sort keys.
///
/// Several threads can each fill a run for the same b-tree.
package struct RecordRun: Sendable {
  /// The end of a record and of its sort key, which begin where the previous record and sort key end.
  private struct End {
    let record: Int
    let key: Int
  }

  /// The records in the format of SQLite's cells, each preceded by its length.
  private var records: [UInt8] = []
  private var keys: [UInt8] = []
  private var ends: [End] = []

  package init() {}

  /// The size of the records in bytes.
  package var byteCount: Int { records.count }

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - row: The values of all columns.
  ///   - columns: The columns of the b-tree.
  ///   - order: The columns by which the b-tree is sorted; empty if the rows are already in its order.
  package mutating func append(
    _ row: borrowing PackedRow, _ columns: Span<Range<Int>>, sortedBy order: Span<Range<Int>>
  ) {
    row.appendRecord(of: columns, to: &records)
    if !order.isEmpty { row.appendKey(of: order, to: &keys) }
    ends.append(End(record: records.count, key: keys.count))
  }

  /// Reserves memory for a multiple of the current contents, and a little more.
  package mutating func reserveCapacity(forTimes factor: Int) {
    // If the memory grew step by step, the bytes would be copied, and new memory used, several times.
    func room(for count: Int) -> Int { min(count * factor / 8 * 9, Self.mostReserved) }
    records.reserveCapacity(room(for: records.count))
    keys.reserveCapacity(room(for: keys.count))
    ends.reserveCapacity(room(for: ends.count))
  }

  /// The maximum to reserve, because the first rows may be much larger than the rest.
  private static let mostReserved = 1 << 21

  private static func record(_ place: Int, _ ends: [End]) -> Range<Int> {
    (place == 0 ? 0 : ends[place - 1].record)..<ends[place].record
  }

  private static func key(_ place: Int, _ ends: [End]) -> Range<Int> {
    (place == 0 ? 0 : ends[place - 1].key)..<ends[place].key
  }
}

extension RecordRun {
  /// A reference to one record in a list of runs, with the first sixteen bytes of the record's sort key.
  private struct Reference {
    let high: UInt64
    let low: UInt64
    let run: UInt32
    let place: UInt32
  }

  /// Builds the b-tree of all records in the given runs.
  ///
  /// - Parameters:
  ///   - runs: The runs, in the order of the b-tree unless the records are sorted here.
  ///   - isSorted: Whether to sort the records by their sort keys.
  /// - Returns: The b-tree.
  package static func tree(of runs: [RecordRun], sorting isSorted: Bool) -> Tree {
    var builder = TreeBuilder(forBytes: runs.reduce(0) { $0 + $1.byteCount })
    guard isSorted else {
      for run in runs {
        let bytes = run.records.span
        for place in run.ends.indices { builder.append(bytes.extracting(record(place, run.ends))) }
      }
      return builder.finish()
    }
    // Only the location of each record in its run is sorted, rather than the record itself.
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

  /// Returns the first eight bytes of the given range as a number; a shorter range is padded with zeros.
  private static func word(of bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
    var word: UInt64 = 0
    for byte in bytes[range.prefix(8)] { word = word << 8 | UInt64(byte) }
    return word << (8 * UInt64(8 - min(8, range.count)))
  }
}
