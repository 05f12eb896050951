/// Collects the faults of a log, and knows the place that is being read.
struct FaultCollector {
  private(set) var faults: [Fault] = []
  private var file = ""
  /// Where faults are reported for which no other offset is given.
  var offset = 0

  /// Begins a file; faults are reported at its start until another offset is set.
  mutating func begin(_ file: String) { (self.file, offset) = (file, 0) }

  mutating func report(_ what: Fault.Kind, sequence: UInt64? = nil, offset: Int? = nil) {
    faults.append(
      Fault(file: file, offset: offset ?? self.offset, sequence: sequence, kind: what))
  }

  /// Reports a fault whose place is known from before.
  mutating func report(_ fault: Fault) { faults.append(fault) }

  /// A fault at the current place, to be reported only if it turns out to be one.
  func fault(_ what: Fault.Kind, sequence: UInt64? = nil) -> Fault {
    Fault(file: file, offset: offset, sequence: sequence, kind: what)
  }
}
