import Bytes

/// Summarizes the effects of events that were sent to peers, and names the devices that wrote them.
struct SentEventSummarizer {
  private let book: Book
  private var names: [UniqueID: String] = [:]
  /// The effects of the most recently sent events.
  ///
  /// The effects are kept because most events are sent to several peers in turn.
  private var last: (events: [UniqueID: [ClosedRange<UInt64>]], changes: [Receipt.Changes])?

  init(of book: Book) { self.book = book }

  /// The names of devices, for a report about the given replicas.
  ///
  /// Looking up names updates the read model, and a report should not wait for that. Therefore, this function looks up
  /// names only if one of them is unknown. Otherwise, they are looked up once the read model has been updated for
  /// another reason.
  mutating func names(
    of replicas: some Sequence<UniqueID>
  ) throws(DaybookError) -> [UniqueID: String] {
    if replicas.contains(where: { names[$0] == nil }) { try lookUpNames() }
    return names
  }

  /// Looks up the names of devices.
  ///
  /// The lookup updates the read model, and is cheap if the read model is already up to date.
  mutating func lookUpNames() throws(DaybookError) {
    names = try book.deviceList.devicesWithoutClocks().names
  }

  /// The effects of sent events.
  ///
  /// The result is empty for more than a few events, because no other session is served while the effects are computed.
  mutating func changes(
    by events: [UniqueID: [ClosedRange<UInt64>]],
    inBranches branches: [UniqueID: [ClosedRange<UInt64>]]
  ) throws(DaybookError) -> [Receipt.Changes] {
    guard events.values.joined().reduce(0, { $0 + $1.count }) <= Self.fewEvents else { return [] }
    if let last, last.events == events, branches.isEmpty { return last.changes }
    let departed = book.changeSummaryReader.departedEvents(events, branches)
    let changes = try book.receipts.went(departed, try names(of: events.keys))
    last = (events, changes)
    return changes
  }

  private static let fewEvents = 20
}
