import Interchange

extension ForeignFile {
  /// What was skipped, by its place.
  var faults: [ForeignPlace: ForeignFault] {
    Dictionary(skipped.map { ($0.place, $0.fault) }) { first, _ in first }
  }

  /// What was said of what was taken, by its place.
  var notes: [ForeignPlace: [ForeignNote]] {
    Dictionary(grouping: remarks, by: \.place).mapValues { $0.map(\.note) }
  }
}
