/// What the two sides of a session have told each other that they hold.
struct FrontierExchange: Sendable {
  /// What the peer last stated that it holds.
  private(set) var peerFrontier = Frontier.nothing
  /// All that the peer has stated that it holds, or will hold once it has stored what it was sent.
  private(set) var common = Frontier.nothing
  /// What the peer will hold once it has stored what it was last sent; nil before the first `end` of this side.
  private var delivered: Frontier?
  /// What this side has last stated that it holds.
  private var told = Frontier.nothing

  /// Takes what the hello of the peer states.
  mutating func meet(_ frontier: Frontier) { (peerFrontier, common) = (frontier, frontier) }

  /// Takes what the peer holds of the places in the hello of this side.
  ///
  /// It also has places before the ends.
  mutating func hearAnswer(_ frontier: Frontier) { learn(frontier) }

  /// Takes what the peer states that it holds, of the replicas that have changed.
  mutating func hear(_ frontier: Frontier) {
    peerFrontier = Self.bounded(peerFrontier.replaced(by: frontier), or: frontier)
    learn(frontier)
  }

  /// Takes what the peer will hold once it has stored what it was sent.
  mutating func deliver(_ frontier: Frontier) {
    delivered = frontier
    learn(frontier)
  }

  /// Notes what the hello of this side states about itself.
  mutating func noteTold(_ frontier: Frontier) { told = frontier }

  /// The places that are held and were not stated yet, to be stated now.
  mutating func tell(_ frontier: Frontier) -> Frontier {
    defer { told = frontier }
    return frontier.news(since: told)
  }

  /// Adds to ``common``, and from time to time drops places that were replaced since.
  private mutating func learn(_ frontier: Frontier) {
    common = common.union(frontier)
    // Places before the ends help in the first round only.
    let most =
      delivered == nil ? 4 * Limit.frontierPlaces : 2 * peerFrontier.places.count + 256
    if common.places.count > most { common = peerFrontier.union(delivered ?? .nothing) }
  }

  /// What is known of the peer, or only the latest part if the peer has stated more than is kept.
  private static func bounded(_ frontier: Frontier, or latest: Frontier) -> Frontier {
    frontier.places.count <= 4 * Limit.frontierPlaces ? frontier : latest
  }
}
