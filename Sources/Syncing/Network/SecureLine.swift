package import Crypto
package import Platform
import Synchronization

/// A line on which both sides have shown who they are, and nobody else reads or writes.
///
/// It carries TLS over another line. One thread may send while another receives.
package final class SecureLine: Line {
  private struct State: ~Copyable {
    var session: TLSSession
    /// What has come and was not taken yet.
    var plaintext: [UInt8] = []
    var fault: TLSError?
  }

  private let line: any Line
  private let timekeeper: any Timekeeper
  private let state: Mutex<State>
  /// Held while records go out, so that they go out in order: those that the line has not taken yet.
  private let sending = Mutex<[UInt8]>([])

  package var peer: String { line.peer }

  /// Begins on a line; nothing passes before ``shakeHands(patienceMilliseconds:)`` has answered yes.
  package init(
    _ side: TLSSession.Side, over line: any Line, as identity: TLSIdentity,
    timekeeper: any Timekeeper, admits: @escaping @Sendable (PublicKey) -> Bool
  ) throws(SyncError) {
    (self.line, self.timekeeper) = (line, timekeeper)
    do throws(TLSError) {
      state = Mutex(State(session: try TLSSession.begin(side, as: identity, admits: admits)))
    } catch {
      line.close()
      throw .tls(error)
    }
  }

  /// Shakes hands with the other side, and takes no longer for it than a hello may take.
  package static func open(
    _ side: TLSSession.Side, over line: any Line, as identity: TLSIdentity,
    timekeeper: any Timekeeper, admits: @escaping @Sendable (PublicKey) -> Bool
  ) throws(SyncError) -> SecureLine {
    let secure = try SecureLine(
      side, over: line, as: identity, timekeeper: timekeeper, admits: admits)
    guard try secure.shakeHands(patienceMilliseconds: Int(Limit.helloMilliseconds)) else {
      line.close()
      throw .tooSlow
    }
    return secure
  }

  /// Goes on with the handshake, and tells whether it is over.
  ///
  /// A client that is through with it knows the server; whether the server takes the client shows
  /// with its first words. When it throws, the line is closed.
  package func shakeHands(patienceMilliseconds: Int) throws(SyncError) -> Bool {
    do throws(NetworkError) {
      try flush(patienceMilliseconds: patienceMilliseconds)
      let deadline = timekeeper.monotonicMilliseconds() + Int64(patienceMilliseconds)
      while state.withLock({ $0.session.phase == .handshake }) {
        guard try takeMore(until: deadline) else { return false }
      }
      return true
    } catch {
      line.close()
      throw fault.map { .tls($0) } ?? .network(error)
    }
  }

  /// The key that the other side has proved to have; nil before the handshake is over.
  package var peerKey: PublicKey? { state.withLock { $0.session.peerKey } }

  /// Why the line broke, where TLS can tell.
  package var fault: TLSError? { state.withLock { $0.fault } }

  package func receive(
    upTo count: Int, patienceMilliseconds: Int
  ) throws(NetworkError) -> [UInt8] {
    // What comes in drops that make no whole record must not renew the patience.
    let deadline = timekeeper.monotonicMilliseconds() + Int64(patienceMilliseconds)
    while true {
      if let taken = takePlaintext(upTo: count) { return taken }
      guard try takeMore(until: deadline) else { throw .timedOut }
    }
  }

  package func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    try sending.withLock { (unsent: inout [UInt8]) throws(NetworkError) in
      var rest = bytes[...]
      try sendWaiting(&unsent, patienceMilliseconds: patienceMilliseconds)
      while !rest.isEmpty {
        rest = rest.dropFirst(try encrypt(rest))
        try sendWaiting(&unsent, patienceMilliseconds: patienceMilliseconds)
      }
    }
  }

  package func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    try sending.withLock { (unsent: inout [UInt8]) throws(NetworkError) in
      try offerWaiting(&unsent)
      guard unsent.isEmpty, !bytes.isEmpty else { return 0 }
      let count = try encrypt(bytes)
      try offerWaiting(&unsent)
      return count
    }
  }

  package func close() {
    state.withLock { $0.session.close() }
    // Saying goodbye is a courtesy, and who is in the middle of sending has no time for it.
    _ = sending.withLockIfAvailable { (unsent: inout [UInt8]) in
      try? sendWaiting(&unsent, patienceMilliseconds: 0)
    }
    line.close()
  }

  /// What is there, nothing at all when the other side has ended, or nil when there is nothing yet.
  private func takePlaintext(upTo count: Int) -> [UInt8]? {
    state.withLock { state in
      guard !state.plaintext.isEmpty else { return state.session.phase == .ended ? [] : nil }
      defer { state.plaintext.removeFirst(min(count, state.plaintext.count)) }
      return Array(state.plaintext.prefix(count))
    }
  }

  /// Waits for more bytes and decrypts them; false when none came in time.
  private func takeMore(until deadline: Int64) throws(NetworkError) -> Bool {
    let left = Int(max(0, deadline - timekeeper.monotonicMilliseconds()))
    // What the line had no room for goes out meanwhile.
    let most = try offerRest() ? left : min(left, Self.lookMilliseconds)
    let bytes: [UInt8]
    do throws(NetworkError) {
      bytes = try line.receive(upTo: Limit.chunkBytes, patienceMilliseconds: most)
    } catch {
      if error == .timedOut { return most < left }
      throw error
    }
    do throws(TLSError) {
      try decrypt(bytes)
    } catch {
      // Tells the other side why, if it still listens.
      try? flush(patienceMilliseconds: 0)
      throw .cut
    }
    // To wait for room would be to wait for the other side to read, which may be waiting likewise.
    if state.withLock({ $0.session.phase == .handshake }) {
      try flush(patienceMilliseconds: Limit.silenceMilliseconds)
    } else {
      _ = try offerRest()
    }
    return timekeeper.monotonicMilliseconds() <= deadline
  }

  private func decrypt(_ bytes: [UInt8]) throws(TLSError) {
    try state.withLock { (state: inout State) throws(TLSError) in
      do throws(TLSError) {
        if bytes.isEmpty {
          try state.session.lineEnded()
        } else {
          state.plaintext += try state.session.receive(bytes)
        }
      } catch {
        state.fault = error
        throw error
      }
    }
  }

  private func encrypt(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    do throws(TLSError) {
      return try state.withLock { (state: inout State) throws(TLSError) in
        precondition(state.session.phase != .handshake, "hands are shaken before anything is sent")
        return try state.session.send(bytes)
      }
    } catch {
      throw .cut
    }
  }

  /// How often it is looked whether a line that was full takes more.
  private static let lookMilliseconds = 2

  /// Sends as much of what waits as the line takes at once, and tells whether that was all.
  ///
  /// Where another thread is sending, that one does it.
  private func offerRest() throws(NetworkError) -> Bool {
    let isAll = try sending.withLockIfAvailable { (unsent: inout [UInt8]) throws(NetworkError) in
      try offerWaiting(&unsent)
      return unsent.isEmpty
    }
    return isAll ?? true
  }

  /// Sends what TLS has to say, unless another thread is sending, which then does that as well.
  private func flush(patienceMilliseconds: Int) throws(NetworkError) {
    _ = try sending.withLockIfAvailable { (unsent: inout [UInt8]) throws(NetworkError) in
      try sendWaiting(&unsent, patienceMilliseconds: patienceMilliseconds)
    }
  }

  /// Sends the records that wait; called by whoever has the right to send.
  private func sendWaiting(
    _ unsent: inout [UInt8], patienceMilliseconds: Int
  ) throws(NetworkError) {
    let records = unsent + state.withLock { $0.session.outgoing() }
    unsent = []
    guard !records.isEmpty else { return }
    try line.send(records, patienceMilliseconds: patienceMilliseconds)
  }

  /// Sends as many of the records that wait as the line takes at once.
  private func offerWaiting(_ unsent: inout [UInt8]) throws(NetworkError) {
    unsent += state.withLock { $0.session.outgoing() }
    guard !unsent.isEmpty else { return }
    unsent.removeFirst(try line.offer(unsent[...]))
  }
}
