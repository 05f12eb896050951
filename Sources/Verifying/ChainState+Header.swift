import Bytes

extension ChainState {
  /// Reads the header of the next event into the state.
  mutating func readHeader(
    _ reader: inout CBORReader, sequence: UInt64, content: Span<UInt8>,
    _ faults: inout FaultCollector
  ) throws(CBORError) -> UInt64? {
    guard try reader.peek() == .array else {
      pass(try reader.unsigned(), sequence: sequence, &faults)
      return nil
    }
    let start = reader.offset
    guard try reader.arrayHeader() == 2 else { throw .wrongLength(expected: 2, at: start) }
    pass(try reader.unsigned(), sequence: sequence, &faults)
    var ahead = CBORReader(content, at: reader.offset)
    _ = try ahead.skip()
    let count = try reader.mapHeader()
    if count == 0 { faults.report(.header, sequence: sequence) }
    var more: UInt64?
    for _ in 0..<count {
      guard try reader.peek() == .unsigned else {
        _ = try reader.skip()
        _ = try reader.skip()
        continue
      }
      switch try reader.unsigned() {
      case 0: shift(try reader.integer(), sequence: sequence, &faults)
      case 1: try checkSeen(&reader, sequence: sequence, &faults)
      case 2:
        more = try reader.unsigned()
        if more == 0 { faults.report(.header, sequence: sequence) }
      case 3: try checkLink(&reader, sequence: sequence, &faults)
      default: _ = try reader.skip()
      }
    }
    return more
  }

  private mutating func pass(_ delta: UInt64, sequence: UInt64, _ faults: inout FaultCollector) {
    let (time, overflows) = self.time.addingReportingOverflow(delta)
    if overflows || time > UInt64(Int64.max) { faults.report(.overflow, sequence: sequence) }
    self.time = time
  }

  private mutating func shift(_ delta: Int64, sequence: UInt64, _ faults: inout FaultCollector) {
    let (when, overflows) = self.when.addingReportingOverflow(delta)
    if overflows { faults.report(.overflow, sequence: sequence) }
    self.when = when
  }

  private mutating func checkSeen(
    _ reader: inout CBORReader, sequence: UInt64, _ faults: inout FaultCollector
  ) throws(CBORError) {
    let count = try reader.arrayHeader()
    if count == 0 { faults.report(.header, sequence: sequence) }
    for _ in 0..<count {
      let start = reader.offset
      let items = try reader.arrayHeader()
      guard items == 3 || items == 4 else { throw .wrongLength(expected: 3, at: start) }
      if try reader.peek() == .bytes {
        table?.append(try reader.uniqueID())
        if table == nil { _ = try reader.uniqueID() }
        tableCount += 1
      } else if try reader.unsigned() >= tableCount {
        faults.report(.reference, sequence: sequence)
      }
      let last = try reader.unsigned()
      _ = try reader.uniqueID()
      if last == 0 || last >= 1 << 62 { faults.report(.header, sequence: sequence) }
      if items == 4 { try checkMissing(&reader, upTo: last, sequence: sequence, &faults) }
    }
  }

  /// Checks that the ranges of missing events ascend, are not adjacent, and do not extend beyond the last seen event.
  private func checkMissing(
    _ reader: inout CBORReader, upTo last: UInt64, sequence: UInt64,
    _ faults: inout FaultCollector
  ) throws(CBORError) {
    let numbers = try reader.arrayHeader()
    if numbers == 0 || numbers % 2 != 0 { faults.report(.header, sequence: sequence) }
    var least: UInt64 = 1
    for _ in 0..<numbers / 2 {
      let first = try reader.unsigned()
      let count = try reader.unsigned()
      let (next, overflows) = first.addingReportingOverflow(count)
      guard first >= least, count > 0, !overflows, next - 1 <= last else {
        faults.report(.header, sequence: sequence)
        continue
      }
      least = next &+ 1
    }
    if numbers % 2 != 0 { _ = try reader.skip() }
  }

  private func checkLink(
    _ reader: inout CBORReader, sequence: UInt64, _ faults: inout FaultCollector
  ) throws(CBORError) {
    guard try reader.peek() == .array else {
      let target = try reader.unsigned()
      if target == 0 || target >= sequence { faults.report(.reference, sequence: sequence) }
      return
    }
    let start = reader.offset
    guard try reader.arrayHeader() == 2 else { throw .wrongLength(expected: 2, at: start) }
    let index = try reader.unsigned()
    let target = try reader.unsigned()
    if index >= tableCount || target == 0 || target >= 1 << 62 {
      faults.report(.reference, sequence: sequence)
    }
  }
}
