import Bytes

/// The views that pages have open, or had lately, and the streams that follow them.
struct OpenViews {
  private var channels: [ViewAddress: Channel] = [:]
  /// Which view each stream is of; of a view of the past a page is told nothing but the state of the book.
  private var views: [UInt64: ViewAddress] = [:]
  private var useCount = 0

  /// So many views that nobody follows are kept up to date, for those about to follow them.
  private static let idleChannels = 12

  var streams: Dictionary<UInt64, ViewAddress>.Keys { views.keys }
  var addresses: [ViewAddress] { Array(channels.keys) }

  func isKnown(_ address: ViewAddress) -> Bool { channels[address] != nil }

  /// Whether a view was known and looked otherwise.
  func isOutdated(_ view: PageView, at address: ViewAddress) -> Bool {
    channels[address].map { $0.view != view } ?? false
  }

  func followers(of address: ViewAddress) -> Set<UInt64> { channels[address]?.followers ?? [] }

  /// What was told of a view after a revision; nil where that is not known any more.
  func events(of address: ViewAddress, since revision: Int) -> [StreamEvent]? {
    channels[address]?.events(since: revision)
  }

  /// Makes a view that is known what it is now.
  ///
  /// - Returns: What its followers are to be told.
  mutating func update(
    _ view: PageView, at address: ViewAddress, _ revision: Int, id: String
  ) -> [StreamEvent] {
    channels[address]?.update(to: view, at: revision, id: id) ?? []
  }

  /// Keeps a view up to date from now on, and forgets the one that was asked for longest ago.
  ///
  /// - Returns: What its followers are to be told.
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
