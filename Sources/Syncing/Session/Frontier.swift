package import Bytes
package import Journaling

/// The events that a store holds of a book's logs: a place for the end of each branch.
///
/// A side can add events before the ends, so that the peer can find where their logs diverge. Places are ordered by
/// replica, sequence and hash.
package struct Frontier: Hashable, Sendable {
  package private(set) var places: [Place]

  package static let nothing = Frontier([])

  /// Sorts the places and removes duplicates.
  package init(_ places: [Place]) {
    self.places = []
    for place in places.sorted(by: { $0.rank < $1.rank }) {
      guard let last = self.places.last, last.rank == place.rank else {
        self.places.append(place)
        continue
      }
      // Branches that begin after the same hole have the same place. It is not known to which of them an island
      // belongs, so no islands are listed.
      if last.islands != place.islands { self.places[self.places.count - 1].islands = [] }
    }
  }

  /// The replicas, in order.
  package var replicas: [UniqueID] {
    places.indices.filter { $0 == 0 || places[$0 - 1].log < places[$0].log }
      .map { places[$0].log }
  }

  /// The places of the given replica.
  package func places(of replica: UniqueID) -> ArraySlice<Place> {
    let first = firstIndex { $0.log >= replica }
    let end = firstIndex { $0.log > replica }
    return places[first..<end]
  }

  /// The greatest sequence up to which a branch of the given replica's log is stored; 0 if the log is not stored.
  package func sequence(of replica: UniqueID) -> UInt64 {
    places(of: replica).last?.sequence ?? 0
  }

  /// Whether the frontier contains the given place.
  package func tells(of place: Place) -> Bool {
    let index = firstIndex { $0.rank >= place.rank }
    return index < places.count && places[index].rank == place.rank
  }

  /// The places of both frontiers.
  ///
  /// If both contain the same place, the islands of the other frontier are used.
  package func union(_ other: Frontier) -> Frontier {
    Frontier(places.filter { !other.tells(of: $0) } + other.places)
  }

  /// This frontier, with the other frontier's places for every replica that the other frontier contains.
  package func replaced(by other: Frontier) -> Frontier {
    let told = Set(other.replicas)
    return Frontier(places.filter { !told.contains($0.log) } + other.places)
  }

  /// The places of replicas for which another frontier has different places.
  package func news(since other: Frontier) -> Frontier {
    let changed = replicas.filter { places(of: $0) != other.places(of: $0) }
    return Frontier(changed.flatMap { places(of: $0) })
  }

  /// Whether both frontiers are the same and show that neither side lacks anything.
  ///
  /// The result is false if there are losses, or if a frontier may be incomplete.
  ///
  /// Both sides of a session must obtain the same result.
  package func isSame(as other: Frontier) -> Bool {
    self == other && places.count < Limit.frontierPlaces && places.allSatisfy(\.islands.isEmpty)
  }

  /// The given replica's stored events, on any branch.
  package func events(of replica: UniqueID) -> [ClosedRange<UInt64>] {
    let events = places(of: replica).flatMap { place in
      (place.sequence > 0 ? [1...place.sequence] : []) + place.islands
    }
    return [ClosedRange<UInt64>](joining: events)
  }

  /// The number of events that this frontier has and an earlier frontier lacks, by replica.
  ///
  /// If a branch was unknown, only its events beyond all stored events are counted, but at least one. The reason is
  /// that the places do not show where the branch forks from the others.
  package func growth(since earlier: Frontier) -> [UniqueID: UInt64] {
    var growth: [UniqueID: UInt64] = [:]
    for replica in replicas {
      let count = self.growth(of: replica, since: earlier)
      if count > 0 { growth[replica] = count }
    }
    return growth
  }

  private func growth(of replica: UniqueID, since earlier: Frontier) -> UInt64 {
    let before = earlier.places(of: replica)
    // A place that has advanced is not in the new frontier. The place of another branch is still in it.
    var left = before.filter { !tells(of: $0) }[...]
    var grown: Place?
    var count: UInt64 = 0
    for place in places(of: replica) where !earlier.tells(of: place) {
      while let next = left.first, next.sequence < place.sequence { grown = left.removeFirst() }
      let highest = min(before.last?.sequence ?? 0, max(place.sequence, 1) - 1)
      count = count.saturatingSum(grown?.lacked(upTo: place.sequence) ?? place.sequence - highest)
    }
    return count
  }

  private func firstIndex(where isBehind: (Place) -> Bool) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(places[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension UInt64 {
  /// The sum, limited to the largest representable number.
  ///
  /// Peers can claim any number of events, so an ordinary sum might overflow.
  func saturatingSum(_ other: UInt64) -> UInt64 {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

extension Place {
  /// The properties that identify places and determine their order.
  struct Rank: Hashable, Comparable {
    var replica: UniqueID
    var sequence: UInt64
    var hash: Digest

    static func < (left: Rank, right: Rank) -> Bool {
      (left.replica, left.sequence, left.hash) < (right.replica, right.sequence, right.hash)
    }
  }

  var rank: Rank { Rank(replica: log, sequence: sequence, hash: hash) }

  /// The number of events that follow the place, up to a sequence, and are not in the place's islands.
  fileprivate func lacked(upTo last: UInt64) -> UInt64 {
    islands.reduce(last - sequence) { count, island in
      guard island.lowerBound <= last else { return count }
      return count - (min(island.upperBound, last) - island.lowerBound + 1)
    }
  }
}
