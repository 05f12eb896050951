package import Bytes
package import Journaling

/// How far a holder has each of a book's logs, in the order of their ids.
package struct Frontier: Hashable, Sendable {
  package private(set) var places: [Place]

  package static let nothing = Frontier([])

  /// Sorts the places; each log has one.
  package init(_ places: [Place]) {
    let sorted = places.sorted { $0.log < $1.log }
    precondition(
      zip(sorted, sorted.dropFirst()).allSatisfy { $0.log < $1.log }, "a log has one place")
    self.places = sorted
  }

  package subscript(log: UniqueID) -> Place? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].log < log { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].log == log ? places[low] : nil
  }

  /// How far a log is held, 0 for one that is not.
  package func sequence(of log: UniqueID) -> UInt64 { self[log]?.sequence ?? 0 }

  /// How many events of each log this has and an earlier frontier had not.
  package func growth(since earlier: Frontier) -> [UniqueID: UInt64] {
    var growth: [UniqueID: UInt64] = [:]
    for place in places {
      let before = earlier.sequence(of: place.log)
      if place.sequence > before { growth[place.log] = place.sequence - before }
    }
    return growth
  }

  /// Writes as much as a message may hold; what is left out comes once more, and does no harm.
  func encode(to writer: inout CBORWriter) {
    let told = places.prefix(Limit.frontierLogs)
    var islandsLeft = Limit.frontierIslands
    writer.arrayHeader(told.count)
    for place in told {
      let islands = place.islands.prefix(min(Limit.islands, islandsLeft))
      islandsLeft -= islands.count
      writer.arrayHeader(islands.isEmpty ? 3 : 4)
      writer.uniqueID(place.log)
      writer.unsigned(place.sequence)
      writer.digest(place.hash)
      guard !islands.isEmpty else { continue }
      writer.arrayHeader(islands.count)
      for island in islands {
        writer.arrayHeader(2)
        writer.unsigned(island.lowerBound)
        writer.unsigned(island.upperBound)
      }
    }
  }

  static func decode(_ reader: inout CBORReader) throws(MessageFault) -> Frontier {
    let count = try reading { () throws(CBORError) in try reader.arrayHeader() }
    guard count <= Limit.frontierLogs else { throw .limit }
    var frontier = Frontier.nothing
    for _ in 0..<count {
      let place = try Place.decode(&reader)
      if let last = frontier.places.last, last.log >= place.log { throw .order }
      frontier.places.append(place)
    }
    return frontier
  }
}

extension Place {
  fileprivate static func decode(_ reader: inout CBORReader) throws(MessageFault) -> Place {
    do throws(CBORError) {
      let count = try reader.arrayHeader()
      guard count == 3 || count == 4 else { throw .wrongLength(expected: 3, at: reader.offset) }
      var place = Place(
        log: try reader.uniqueID(), sequence: try reader.unsigned(), hash: try reader.digest())
      guard place.sequence < 1 << 62 else { throw .outOfRange(at: reader.offset) }
      if count == 4 { place.islands = try decodeIslands(&reader, beyond: place.sequence) }
      return place
    } catch {
      throw .cbor(error)
    }
  }

  private static func decodeIslands(
    _ reader: inout CBORReader, beyond sequence: UInt64
  ) throws(CBORError) -> [ClosedRange<UInt64>] {
    let count = try reader.arrayHeader()
    guard count > 0, count <= Limit.islands else { throw .tooMany(at: reader.offset) }
    var islands: [ClosedRange<UInt64>] = []
    var reached = sequence
    for _ in 0..<count {
      guard try reader.arrayHeader() == 2 else {
        throw .wrongLength(expected: 2, at: reader.offset)
      }
      let (first, last) = (try reader.unsigned(), try reader.unsigned())
      // An island that touches what is before it is part of that.
      guard first > reached + 1, last >= first, last < 1 << 62 else {
        throw .outOfRange(at: reader.offset)
      }
      islands.append(first...last)
      reached = last
    }
    return islands
  }
}
