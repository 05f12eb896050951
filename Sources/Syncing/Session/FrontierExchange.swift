/// The places that each side of a session has stated.
struct FrontierExchange: Sendable {
  /// The latest frontier that the peer has stated.
  private(set) var peerFrontier = Frontier.nothing
  /// All places that the peer has stated, or will have once it has stored the events that were sent.
  private(set) var common = Frontier.nothing
  /// The places that the peer will have once it has stored the events that were sent most recently; nil before the
  /// first `end` of this side.
  private var delivered: Frontier?
  /// The latest frontier that this side has stated.
  private var told = Frontier.nothing

  /// Records the frontier in the peer's hello.
  mutating func meet(_ frontier: Frontier) { (peerFrontier, common) = (frontier, frontier) }

  /// Records which places in the hello of this side the peer holds.
  ///
  /// The dialler's answer also contains places before the ends.
  mutating func hearAnswer(_ frontier: Frontier) { learn(frontier) }

  /// Records the peer's new places, for the replicas that have changed.
  mutating func hear(_ frontier: Frontier) {
    peerFrontier = Self.bounded(peerFrontier.replaced(by: frontier), or: frontier)
    learn(frontier)
  }

  /// Records the places that the peer will have once it has stored the sent events.
  mutating func deliver(_ frontier: Frontier) {
    delivered = frontier
    learn(frontier)
  }

  /// Records the frontier in this side's hello.
  mutating func noteTold(_ frontier: Frontier) { told = frontier }

  /// The places that this side has but has not yet stated.
  ///
  /// From now on, the returned places are treated as stated.
  mutating func tell(_ frontier: Frontier) -> Frontier {
    defer { told = frontier }
    return frontier.news(since: told)
  }

  /// Adds places to ``common``, and removes outdated ones from time to time.
  private mutating func learn(_ frontier: Frontier) {
    common = common.union(frontier)
    // Places before the ends are useful only in the first round.
    let most =
      delivered == nil ? 4 * Limit.frontierPlaces : 2 * peerFrontier.places.count + 256
    if common.places.count > most { common = peerFrontier.union(delivered ?? .nothing) }
  }

  /// The peer's known places, or only the latest places if the peer has stated too many.
  private static func bounded(_ frontier: Frontier, or latest: Frontier) -> Frontier {
    frontier.places.count <= 4 * Limit.frontierPlaces ? frontier : latest
  }
}
