package import Platform
import Synchronization

/// The shared state of the two ends of a simulated line.
final class Cable: Sendable {
  enum End: Hashable, Sendable {
    case dialler, listener

    var other: End { self == .dialler ? .listener : .dialler }
  }

  fileprivate struct State {
    var isCut = false
    var closed: Set<End> = []
    /// The ends that have stopped sending.
    var ended: Set<End> = []
    /// The bytes that have arrived at each end and have not yet been received.
    var arrived: [End: [UInt8]] = [:]
  }

  /// The host that was dialled.
  let host: String
  private let state = Mutex(State())

  /// The number of bytes that may be waiting at an end; if it is reached, `offer` does not accept any more.
  ///
  /// The limit does not apply to `send`.
  private let room: Int

  init(host: String, room: Int) { (self.host, self.room) = (host, room) }

  /// Whether the line is cut or both ends are closed.
  var isDone: Bool { state.withLock { $0.isCut || $0.closed.count == 2 } }

  func cut() { state.withLock { $0.isCut = true } }

  func close(_ end: End) { state.withLock { _ = $0.closed.insert(end) } }

  func endSending(_ end: End) { state.withLock { _ = $0.ended.insert(end) } }

  func receive(at end: End, upTo count: Int) throws(NetworkError) -> [UInt8] {
    try state.withLock { (state) throws(NetworkError) in
      guard !state.isCut, !state.closed.contains(end) else { throw .cut }
      let arrived = state.arrived[end] ?? []
      if arrived.isEmpty {
        // Bytes that the peer sent before it closed the line are received first. The end of the line is reported
        // afterwards.
        guard state.hasEnded(end.other) else { throw .timedOut }
        return []
      }
      state.arrived[end] = Array(arrived.dropFirst(count))
      return Array(arrived.prefix(count))
    }
  }

  func send(_ bytes: [UInt8], from end: End) throws(NetworkError) {
    try state.withLock { (state) throws(NetworkError) in
      guard state.takes(from: end) else { throw .cut }
      state.arrived[end.other, default: []] += bytes
    }
  }

  func offer(_ bytes: ArraySlice<UInt8>, from end: End) throws(NetworkError) -> Int {
    try state.withLock { (state) throws(NetworkError) in
      guard state.takes(from: end) else { throw .cut }
      let taken = bytes.prefix(max(0, room - (state.arrived[end.other]?.count ?? 0)))
      state.arrived[end.other, default: []] += taken
      return taken.count
    }
  }

  /// Returns the operations that do not have to wait at an end.
  ///
  /// An operation that would report the end of the line does not have to wait either.
  func readiness(of end: End) -> Interest {
    state.withLock { state -> Interest in
      guard !state.isCut, !state.closed.contains(end) else { return [.reading, .writing] }
      let hasCome = !(state.arrived[end] ?? []).isEmpty
      guard !state.closed.contains(end.other) else { return [.reading, .writing] }
      let isFull = (state.arrived[end.other]?.count ?? 0) >= room
      var readiness: Interest = hasCome || state.hasEnded(end.other) ? .reading : []
      if !isFull { readiness.insert(.writing) }
      return readiness
    }
  }
}

extension Cable.State {
  /// Returns whether an end has closed the line or stopped sending.
  func hasEnded(_ end: Cable.End) -> Bool { closed.contains(end) || ended.contains(end) }

  /// Returns whether an end can send.
  func takes(from end: Cable.End) -> Bool { !isCut && closed.isEmpty && !ended.contains(end) }
}

/// One end of a line in memory.
package final class SimulatedLine: Line, Ready {
  package let peer: String
  private let cable: Cable
  private let end: Cable.End

  init(_ cable: Cable, _ end: Cable.End, peer: String) {
    self.cable = cable
    self.end = end
    self.peer = peer
  }

  deinit { cable.close(end) }

  package func receive(
    upTo count: Int, patienceMilliseconds: Int
  ) throws(NetworkError) -> [UInt8] {
    precondition(count > 0, "an empty result would look like a closed line")
    return try cable.receive(at: end, upTo: count)
  }

  package func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    try cable.send(bytes, from: end)
  }

  package func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    try cable.offer(bytes, from: end)
  }

  var readiness: Interest { cable.readiness(of: end) }

  package func close() { cable.close(end) }

  /// Stops sending; the line can still receive.
  package func endSending() { cable.endSending(end) }

  /// Cuts the line for both ends.
  ///
  /// Bytes that have not yet been received are lost.
  package func cut() { cable.cut() }
}
