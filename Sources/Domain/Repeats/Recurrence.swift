/// How a to-do repeats: as a series itself, or as a sub-task of a series.
package struct Recurrence: Sendable {
  /// The state of the series.
  package let state: SeriesState
  /// Whether the to-do is a sub-task rather than the series itself.
  package let isOfSubtask: Bool
  /// The slot that the to-do shows; nil for a finished series.
  ///
  /// A sub-task shows the slot of its series. After the series has ended, it shows the slot that was closed last.
  package let slot: CivilDate?
  /// The stored occurrences of the to-do itself in this slot, in the order of ids.
  package let stored: [Series.Occurrence]
  /// The documents of the to-do's own occurrences that are stored as open, in any slot.
  package let openKeys: [EventKey]

  /// Creates the recurrence of a series.
  package init(_ state: SeriesState, _ occurrences: [Series.Occurrence]) {
    self.state = state
    isOfSubtask = false
    let slot = state.current?.slot
    self.slot = slot
    stored = Self.at(slot, occurrences)
    openKeys = state.openKeys
  }

  /// Creates the recurrence of a sub-task.
  ///
  /// - Parameters:
  ///   - occurrences: The occurrences of the sub-task.
  ///   - state: The state of the series.
  package init(subtaskWith occurrences: [Series.Occurrence], of state: SeriesState) {
    self.state = state
    isOfSubtask = true
    let slot = state.current?.slot ?? state.latestClosed?.slot
    self.slot = slot
    stored = Self.at(slot, occurrences)
    openKeys = occurrences.filter { $0.closing == nil }.map(\.key)
  }

  private static func at(
    _ slot: CivilDate?, _ occurrences: [Series.Occurrence]
  ) -> [Series.Occurrence] {
    occurrences.filter { $0.slot == slot }.sorted { $0.id < $1.id }
  }

  /// How the shown slot was closed; nil if it is open.
  ///
  /// Done wins over skipped.
  package var closing: Series.Closing? {
    let closings = stored.compactMap(\.closing)
    return closings.first { $0.kind == .done } ?? closings.first
  }
}
