/// Collects the faults of a log, and keeps track of the current file and offset.
struct FaultCollector {
  private(set) var faults: [Fault] = []
  private var file = ""
  /// The offset of faults for which no other offset is specified.
  var offset = 0

  /// Begins a file.
  ///
  /// Until another offset is set, faults are reported at the start of the file.
  mutating func begin(_ file: String) { (self.file, offset) = (file, 0) }

  mutating func report(_ what: Fault.Kind, sequence: UInt64? = nil, offset: Int? = nil) {
    faults.append(
      Fault(file: file, offset: offset ?? self.offset, sequence: sequence, kind: what))
  }

  /// Reports a fault that was recorded earlier.
  mutating func report(_ fault: Fault) { faults.append(fault) }

  /// Returns a fault at the current position, to be reported later if it is confirmed.
  func fault(_ what: Fault.Kind, sequence: UInt64? = nil) -> Fault {
    Fault(file: file, offset: offset, sequence: sequence, kind: what)
  }
}
