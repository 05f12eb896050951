import Bytes

/// The views that pages have open or had open recently, and the streams that follow them.
struct OpenViews {
  private var channels: [ViewAddress: Channel] = [:]
  /// The view of each stream.
  ///
  /// If a stream shows a past view, it receives only the events that go to all streams.
  private var views: [UInt64: ViewAddress] = [:]
  private var useCount = 0

  /// The number of views without followers that are kept up to date for pages that are about to follow them.
  private static let idleChannels = 12

  var streams: Dictionary<UInt64, ViewAddress>.Keys { views.keys }
  var addresses: [ViewAddress] { Array(channels.keys) }

  func isKnown(_ address: ViewAddress) -> Bool { channels[address] != nil }

  /// Returns whether a view is stored here with different content.
  func isOutdated(_ view: PageView, at address: ViewAddress) -> Bool {
    channels[address].map { $0.view != view } ?? false
  }

  func followers(of address: ViewAddress) -> Set<UInt64> { channels[address]?.followers ?? [] }

  /// Returns the events of a view after a revision; nil if they are no longer stored.
  func events(of address: ViewAddress, since revision: Int) -> [StreamEvent]? {
    channels[address]?.events(since: revision)
  }

  /// Updates a view, if it is stored here.
  ///
  /// - Returns: The events for its followers.
  mutating func update(
    _ view: PageView, at address: ViewAddress, _ revision: Int, id: String
  ) -> [StreamEvent] {
    channels[address]?.update(to: view, at: revision, id: id) ?? []
  }

  /// Keeps a view up to date from now on.
  ///
  /// If too many views have no followers, the one that was requested longest ago is forgotten.
  ///
  /// - Returns: The events for the view's followers.
  mutating func remember(
    _ view: PageView, at address: ViewAddress, _ revision: Int, id: String
  ) -> [StreamEvent] {
    useCount += 1
    let events = update(view, at: address, revision, id: id)
    if channels[address] == nil {
      channels[address] = Channel(view, at: revision, use: useCount)
    }
    channels[address]?.lastUse = useCount
    let idle = channels.filter { $0.value.followers.isEmpty }
    if idle.count > Self.idleChannels,
      let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      channels[oldest.key] = nil
    }
    return events
  }

  mutating func forget(_ address: ViewAddress) { channels[address] = nil }

  mutating func open(_ address: ViewAddress, on connection: UInt64) {
    views[connection] = address
  }

  mutating func follow(_ address: ViewAddress, on connection: UInt64) {
    channels[address]?.followers.insert(connection)
  }

  mutating func close(_ connection: UInt64) {
    guard let address = views.removeValue(forKey: connection) else { return }
    channels[address]?.followers.remove(connection)
  }
}
