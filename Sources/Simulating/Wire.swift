import Platform
import Synchronization

/// A line between two stations.
///
/// Like a TLS connection, the line is cut if a record was changed or arrives out of order.
final class Wire: Sendable {
  enum End: Int, CaseIterable, Hashable, Sendable {
    case dialler, listener

    var other: End { self == .dialler ? .listener : .dialler }
  }

  /// Bytes that were offered in one call and are delivered together.
  private struct Record {
    var number: Int
    var bytes: [UInt8]
    var isTrue = true
  }

  /// The state of one direction, which is named after the sending end.
  private struct Way {
    var sent: [Record] = []
    var count = 0
    var isClosed = false
    var isHeardClosed = false
    var arrived: [UInt8] = []
    var expected = 0
  }

  private struct State {
    var isCut = false
    var ways = [Way(), Way()]
  }

  private let state = Mutex(State())
  /// The maximum number of undelivered bytes in one direction.
  private let room: Int

  init(room: Int) { self.room = room }

  var isCut: Bool { state.withLock { $0.isCut } }

  func cut() { state.withLock { $0.isCut = true } }

  /// The fate of a record in transit.
  enum Fate: Hashable, Sendable { case arrives, isLost, comesTwice, comesLate, isChanged }

  /// Delivers the next record from an end or, if there is none, the closing of that end.
  ///
  /// Returns false if there is nothing to deliver.
  func carry(from end: End, _ fate: Fate = .arrives) -> Bool {
    state.withLock { state in
      guard !state.isCut else { return false }
      var way = state.ways[end.rawValue]
      defer { state.ways[end.rawValue] = way }
      guard !way.sent.isEmpty else {
        guard way.isClosed, !way.isHeardClosed else { return false }
        way.isHeardClosed = true
        return true
      }
      var record = way.sent.removeFirst()
      switch fate {
      case .arrives: break
      case .isLost: return true
      case .comesTwice: way.sent.insert(record, at: 0)
      case .comesLate:
        guard !way.sent.isEmpty else { break }
        let later = record
        record = way.sent.removeFirst()
        way.sent.insert(later, at: 0)
      case .isChanged: record.isTrue = false
      }
      guard record.isTrue, record.number == way.expected else {
        state.isCut = true
        return true
      }
      way.expected += 1
      way.arrived += record.bytes
      return true
    }
  }

  fileprivate func receive(at end: End, upTo count: Int) throws(NetworkError) -> [UInt8] {
    try state.withLock { (state) throws(NetworkError) in
      guard !state.isCut, !state.ways[end.rawValue].isClosed else { throw .cut }
      let way = state.ways[end.other.rawValue]
      guard !way.arrived.isEmpty else {
        guard way.isHeardClosed else { throw .timedOut }
        return []
      }
      state.ways[end.other.rawValue].arrived = Array(way.arrived.dropFirst(count))
      return Array(way.arrived.prefix(count))
    }
  }

  fileprivate func offer(_ bytes: ArraySlice<UInt8>, from end: End) throws(NetworkError) -> Int {
    try state.withLock { (state) throws(NetworkError) in
      let place = end.rawValue
      guard !state.isCut, !state.ways[place].isClosed, !state.ways[1 - place].isHeardClosed else {
        throw .cut
      }
      let waiting = state.ways[place].sent.reduce(0) { $0 + $1.bytes.count }
      let taken = bytes.prefix(max(0, room - waiting))
      guard !taken.isEmpty else { return 0 }
      state.ways[place].sent.append(
        Record(number: state.ways[place].count, bytes: Array(taken)))
      state.ways[place].count += 1
      return taken.count
    }
  }

  fileprivate func close(_ end: End) { state.withLock { $0.ways[end.rawValue].isClosed = true } }

  /// One end of the line.
  func line(_ end: End) -> any Line { WireEnd(self, end) }
}

private final class WireEnd: Line {
  private let wire: Wire
  private let end: Wire.End

  init(_ wire: Wire, _ end: Wire.End) { (self.wire, self.end) = (wire, end) }

  var peer: String { end == .dialler ? "listener" : "dialler" }

  func receive(upTo count: Int, patienceMilliseconds: Int) throws(NetworkError) -> [UInt8] {
    try wire.receive(at: end, upTo: count)
  }

  func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    guard try offer(bytes[...]) == bytes.count else { throw .timedOut }
  }

  func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    try wire.offer(bytes, from: end)
  }

  func close() { wire.close(end) }
}
