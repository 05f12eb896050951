extension SeriesState {
  /// The closing that was written to the series itself, such as by a device that did not know that the to-do repeats.
  package struct OwnClosing: Hashable, Sendable {
    package let kind: Series.Closing.Kind
    /// The due date of the first slot.
    package let due: CivilDate
    /// The open occurrences of the first slot, because of which the closing has no effect; empty if the closing closes
    /// the first slot.
    package let openKeys: [EventKey]

    package init(kind: Series.Closing.Kind, due: CivilDate, openKeys: [EventKey]) {
      (self.kind, self.due, self.openKeys) = (kind, due, openKeys)
    }

    /// Whether the first slot is closed by this closing alone.
    package var hasEffect: Bool { openKeys.isEmpty }
  }

  /// The closing of the series itself; nil if there is none, or if an occurrence closes the first slot anyway.
  ///
  /// No occurrence stands for such a closing, so no list of closed dates shows it.
  package var ownClosing: OwnClosing? {
    guard let closing = series.closing,
      let first = stored.first(where: { $0.slot == series.anchor }),
      first.keys.isEmpty || first.closing == nil
    else { return nil }
    return OwnClosing(
      kind: closing.kind, due: first.due ?? series.due(of: first.slot), openKeys: first.keys)
  }
}
