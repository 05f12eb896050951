import Interchange

extension ForeignFile {
  /// The faults of skipped records, by place.
  var faults: [ForeignPlace: ForeignFault] {
    Dictionary(skipped.map { ($0.place, $0.fault) }) { first, _ in first }
  }

  /// The notes on imported records, by place.
  var notes: [ForeignPlace: [ForeignNote]] {
    Dictionary(grouping: remarks, by: \.place).mapValues { $0.map(\.note) }
  }
}
