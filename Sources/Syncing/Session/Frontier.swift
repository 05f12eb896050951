package import Bytes
package import Journaling

/// What a holder has of a book's logs: a place for each event that one of them leads to.
///
/// A log that forked has one for each of its branches, and who talks with another may add events on
/// the way, so that the other finds where theirs part. They are in the order of replica, sequence
/// and hash.
package struct Frontier: Hashable, Sendable {
  package private(set) var places: [Place]

  package static let nothing = Frontier([])

  /// Sorts the places, and tells each once.
  package init(_ places: [Place]) {
    self.places = []
    for place in places.sorted(by: { $0.rank < $1.rank }) {
      guard let last = self.places.last, last.rank == place.rank else {
        self.places.append(place)
        continue
      }
      // Branches behind one hole begin at one place. Which of them an island is part of cannot be
      // told there, so none is claimed.
      if last.islands != place.islands { self.places[self.places.count - 1].islands = [] }
    }
  }

  /// The replicas that are told of, in order.
  package var replicas: [UniqueID] {
    places.indices.filter { $0 == 0 || places[$0 - 1].log < places[$0].log }
      .map { places[$0].log }
  }

  /// The places of a replica.
  package func places(of replica: UniqueID) -> ArraySlice<Place> {
    let first = firstIndex { $0.log >= replica }
    let end = firstIndex { $0.log > replica }
    return places[first..<end]
  }

  /// How far a replica's log is held on any of its branches, 0 for one that is not.
  package func sequence(of replica: UniqueID) -> UInt64 {
    places(of: replica).last?.sequence ?? 0
  }

  /// Whether it tells of an event as one that is led to.
  package func tells(of place: Place) -> Bool {
    let index = firstIndex { $0.rank >= place.rank }
    return index < places.count && places[index].rank == place.rank
  }

  /// Both what this and another tell; of the same place what the other tells.
  package func union(_ other: Frontier) -> Frontier {
    Frontier(places.filter { !other.tells(of: $0) } + other.places)
  }

  /// This, but of the replicas that another tells of only what that one tells.
  package func replaced(by other: Frontier) -> Frontier {
    let told = Set(other.replicas)
    return Frontier(places.filter { !told.contains($0.log) } + other.places)
  }

  /// What this tells of the replicas of which another does not tell the same.
  package func news(since other: Frontier) -> Frontier {
    let changed = replicas.filter { places(of: $0) != other.places(of: $0) }
    return Frontier(changed.flatMap { places(of: $0) })
  }

  /// Whether who holds this and who holds another lack nothing of each other's.
  ///
  /// Both sides of a session must find the same, though a frontier may be told in part.
  package func isSame(as other: Frontier) -> Bool {
    self == other && places.count < Limit.frontierPlaces && places.allSatisfy(\.islands.isEmpty)
  }

  /// The events of a replica that are held, of whatever branch.
  package func events(of replica: UniqueID) -> [ClosedRange<UInt64>] {
    let events = places(of: replica).flatMap { place in
      (place.sequence > 0 ? [1...place.sequence] : []) + place.islands
    }
    return [ClosedRange<UInt64>](joining: events)
  }

  /// How many events of each replica this has and an earlier frontier had not.
  ///
  /// Of a branch that was unknown only those are counted that lie beyond all that was held, and at
  /// least one: where it left the others cannot be seen here.
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
    // What an earlier place has become is not told any more; another branch still is.
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
  /// The sum, or the largest number there is: others can tell of any number of events.
  func saturatingSum(_ other: UInt64) -> UInt64 {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

extension Place {
  /// What orders places, and tells them apart.
  struct Rank: Hashable, Comparable {
    var replica: UniqueID
    var sequence: UInt64
    var hash: Digest

    static func < (left: Rank, right: Rank) -> Bool {
      (left.replica, left.sequence, left.hash) < (right.replica, right.sequence, right.hash)
    }
  }

  var rank: Rank { Rank(replica: log, sequence: sequence, hash: hash) }

  /// How many of the events behind it, up to a sequence, are in none of its islands.
  fileprivate func lacked(upTo last: UInt64) -> UInt64 {
    islands.reduce(last - sequence) { count, island in
      guard island.lowerBound <= last else { return count }
      return count - (min(island.upperBound, last) - island.lowerBound + 1)
    }
  }
}
