internal import Bytes
package import Domain

extension SeriesState {
  /// Computes the state of a series from what a file says about its dates.
  init(_ series: Series, told: [StoredSlot]) {
    let occurrences = told.enumerated().map { place, slot in
      let kind: Series.Closing.Kind? = slot.isOpen ? nil : slot.state == .done ? .done : .skipped
      // The key and the id matter only for the order.
      return Series.Occurrence(
        EventKey(log: 0, sequence: UInt64(place)), id: UniqueID(high: 0, low: UInt64(place)),
        slot: slot.slot, closing: kind.map { Series.Closing($0, on: slot.day) },
        due: slot.isOpen ? slot.day : nil)
    }
    self.init(series, occurrences)
  }
}

extension SeriesState {
  /// Computes the state of the series that a file describes; nil for a to-do that does not repeat.
  package init?(told record: ForeignRecord) {
    guard let due = record.date(Field.Todo.due),
      case .value(.text(let text))? = record.fields[Field.Todo.repeat],
      let rule = RepeatRule(canonicalIfValid: text),
      let series = Series(
        rule: rule, due: due, start: record.date(Field.Todo.start),
        until: record.date(Field.Todo.until))
    else { return nil }
    self.init(series, told: record.occurrences.compactMap { StoredSlot($0) })
  }
}

extension StoredSlot {
  /// Reads the data in the record of an occurrence; nil for any other record.
  init?(_ record: ForeignRecord) {
    guard let slot = record.slot else { return nil }
    let day = record.state == .open ? Field.Todo.due : Field.Todo.closedOn
    self.init(slot, record.state, on: record.date(day))
  }
}
