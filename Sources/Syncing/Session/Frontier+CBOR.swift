import Bytes
import Journaling

extension Frontier {
  /// Writes as many places as fit into a message.
  ///
  /// If places do not fit, the only effect is that some events are sent again, which does no harm.
  func encode(to writer: inout CBORWriter) {
    let told = places.prefix(Limit.frontierPlaces)
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
    guard count <= Limit.frontierPlaces else { throw .limit }
    var places: [Place] = []
    var islandsLeft = Limit.frontierIslands
    for _ in 0..<count {
      let place = try Place.decode(&reader)
      if let last = places.last, last.rank >= place.rank { throw .order }
      islandsLeft -= place.islands.count
      guard islandsLeft >= 0 else { throw .limit }
      places.append(place)
    }
    return Frontier(places)
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
      // An island that touched the range before it would be part of that range.
      guard first > reached + 1, last >= first, last < 1 << 62 else {
        throw .outOfRange(at: reader.offset)
      }
      islands.append(first...last)
      reached = last
    }
    return islands
  }
}
