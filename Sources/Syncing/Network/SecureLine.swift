package import Crypto
package import Platform
import Synchronization

/// A line with TLS: both sides have authenticated, and no third party can read or change the data.
///
/// One thread may send while another receives.
package final class SecureLine: Line {
  private struct State: ~Copyable {
    var session: TLSSession
    /// Decrypted bytes that the caller has not yet received.
    var plaintext: [UInt8] = []
    var fault: TLSError?
  }

  private let line: any Line
  private let timekeeper: any Timekeeper
  private let state: Mutex<State>
  /// TLS records that the line has not yet accepted.
  ///
  /// The lock is held while records are sent, so the records stay in order.
  private let sending = Mutex<[UInt8]>([])

  package var peer: String { line.peer }

  /// Creates a TLS session over a line.
  ///
  /// No data can be exchanged before ``shakeHands(patienceMilliseconds:)`` has returned true.
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

  /// Creates a TLS session with a server that authorities have certified; this side presents no key.
  ///
  /// - Parameters:
  ///   - host: The name that the certificate must contain.
  ///   - roots: The authorities.
  ///   - line: The line.
  ///   - timekeeper: The clocks, which determine whether certificates are valid now.
  /// - Throws: ``SyncError`` if OpenSSL fails. The line is then closed.
  private init(
    toward host: String, trusting roots: TrustedRoots, over line: any Line,
    timekeeper: any Timekeeper
  ) throws(SyncError) {
    (self.line, self.timekeeper) = (line, timekeeper)
    do throws(TLSError) {
      let now = timekeeper.now().milliseconds / 1_000
      state = Mutex(
        State(session: try TLSSession.begin(toward: host, trusting: roots, at: now)))
    } catch {
      line.close()
      throw .tls(error)
    }
  }

  /// Performs the handshake with a server that authorities have certified, within the time limit for a hello.
  static func open(
    toward host: String, trusting roots: TrustedRoots, over line: any Line,
    timekeeper: any Timekeeper
  ) throws(SyncError) -> SecureLine {
    let secure = try SecureLine(
      toward: host, trusting: roots, over: line, timekeeper: timekeeper)
    guard try secure.shakeHands(patienceMilliseconds: Int(Limit.helloMilliseconds)) else {
      line.close()
      throw .tooSlow
    }
    return secure
  }

  /// Performs the handshake, within the time limit for a hello or a given time limit.
  package static func open(
    _ side: TLSSession.Side, over line: any Line, as identity: TLSIdentity,
    timekeeper: any Timekeeper, withinMilliseconds limit: Int64 = Limit.helloMilliseconds,
    admits: @escaping @Sendable (PublicKey) -> Bool
  ) throws(SyncError) -> SecureLine {
    let secure = try SecureLine(
      side, over: line, as: identity, timekeeper: timekeeper, admits: admits)
    do throws(SyncError) {
      guard try secure.shakeHands(patienceMilliseconds: Int(limit)) else {
        line.close()
        throw .tooSlow
      }
      return secure
    } catch {
      throw error.explained(by: line)
    }
  }

  /// Continues the handshake.
  ///
  /// A client that has finished the handshake has the server's key. The first data from the server shows whether the
  /// server accepts the client. If the method throws, the line is closed.
  ///
  /// - Returns: Whether the handshake is finished.
  package func shakeHands(patienceMilliseconds: Int) throws(SyncError) -> Bool {
    do throws(NetworkError) {
      try flush(patienceMilliseconds: patienceMilliseconds)
      let deadline = timekeeper.monotonicMilliseconds() + Int64(patienceMilliseconds)
      while state.withLock({ $0.session.phase == .handshake }) {
        guard try takeMore(until: deadline) else { return false }
      }
      return true
    } catch {
      _ = hearLastWords()
      line.close()
      throw fault.map { .tls($0) } ?? .network(error)
    }
  }

  /// The key with which the peer has authenticated; nil before the handshake is finished.
  package var peerKey: PublicKey? { state.withLock { $0.session.peerKey } }

  /// The TLS error that broke the line, if there was one.
  package var fault: TLSError? { state.withLock { $0.fault } }

  package func receive(
    upTo count: Int, patienceMilliseconds: Int
  ) throws(NetworkError) -> [UInt8] {
    // If the received bytes do not complete a record, they must not extend the time limit.
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
    // A closing alert is optional, so no alert is sent while another thread is sending.
    _ = sending.withLockIfAvailable { (unsent: inout [UInt8]) in
      try? sendWaiting(&unsent, patienceMilliseconds: 0)
    }
    line.close()
  }

  /// Returns decrypted bytes; empty if the peer has closed the line, nil if there are none yet.
  private func takePlaintext(upTo count: Int) -> [UInt8]? {
    state.withLock { state in
      guard !state.plaintext.isEmpty else { return state.session.phase == .ended ? [] : nil }
      defer { state.plaintext.removeFirst(min(count, state.plaintext.count)) }
      return Array(state.plaintext.prefix(count))
    }
  }

  /// Waits for more bytes and decrypts them.
  ///
  /// - Returns: false if no bytes arrived in time.
  private func takeMore(until deadline: Int64) throws(NetworkError) -> Bool {
    let left = Int(max(0, deadline - timekeeper.monotonicMilliseconds()))
    // In the meantime, bytes that the line has not yet accepted are sent.
    let most: Int
    do throws(NetworkError) {
      most = try offerRest() ? left : min(left, Self.lookMilliseconds)
    } catch {
      guard hearLastWords() else { throw error }
      return true
    }
    let bytes: [UInt8]
    do throws(NetworkError) {
      bytes = try line.receive(upTo: Portion.chunkBytes, patienceMilliseconds: most)
    } catch {
      if error == .timedOut { return most < left }
      throw error
    }
    do throws(TLSError) {
      try decrypt(bytes)
    } catch {
      // The alert tells the peer the reason, if the peer is still connected.
      try? flush(patienceMilliseconds: 0)
      throw .cut
    }
    // If sending blocked after the handshake, this side might wait for a peer that is blocked in the same way.
    if state.withLock({ $0.session.phase == .handshake }) {
      try flush(patienceMilliseconds: Limit.silenceMilliseconds)
    } else {
      // The records remain waiting, so the next call reports the error, after the plaintext.
      _ = try? offerRest()
    }
    return timekeeper.monotonicMilliseconds() <= deadline
  }

  /// Reads what the peer sent before it closed the line, up to the next plaintext.
  ///
  /// If the peer sent an alert, ``fault`` contains its reason.
  ///
  /// - Returns: Whether there is plaintext.
  private func hearLastWords() -> Bool {
    // The line is already broken, so an error here is ignored.
    while let bytes = try? line.receive(upTo: Portion.chunkBytes, patienceMilliseconds: 0),
      !bytes.isEmpty, (try? decrypt(bytes)) != nil
    {
      if state.withLock({ !$0.plaintext.isEmpty }) { return true }
    }
    return false
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
        precondition(
          state.session.phase != .handshake, "the handshake is finished before anything is sent")
        return try state.session.send(bytes)
      }
    } catch {
      throw .cut
    }
  }

  /// The interval at which sending is retried while the line accepts no data, in milliseconds.
  private static let lookMilliseconds = 2

  /// Sends as many waiting bytes as the line accepts immediately.
  ///
  /// If another thread is sending, that thread also sends these bytes.
  ///
  /// - Returns: false if this thread still has bytes to send; true if all bytes have been sent or another thread sends
  ///   them.
  private func offerRest() throws(NetworkError) -> Bool {
    let isAll = try sending.withLockIfAvailable { (unsent: inout [UInt8]) throws(NetworkError) in
      try offerWaiting(&unsent)
      return unsent.isEmpty
    }
    return isAll ?? true
  }

  /// Sends the output of TLS.
  ///
  /// If another thread is sending, that thread also sends this output.
  private func flush(patienceMilliseconds: Int) throws(NetworkError) {
    _ = try sending.withLockIfAvailable { (unsent: inout [UInt8]) throws(NetworkError) in
      try sendWaiting(&unsent, patienceMilliseconds: patienceMilliseconds)
    }
  }

  /// Sends the waiting records.
  ///
  /// The caller holds the sending lock.
  private func sendWaiting(
    _ unsent: inout [UInt8], patienceMilliseconds: Int
  ) throws(NetworkError) {
    let records = unsent + state.withLock { $0.session.outgoing() }
    unsent = []
    guard !records.isEmpty else { return }
    try line.send(records, patienceMilliseconds: patienceMilliseconds)
  }

  /// Sends as many of the waiting records as the line accepts immediately.
  private func offerWaiting(_ unsent: inout [UInt8]) throws(NetworkError) {
    unsent += state.withLock { $0.session.outgoing() }
    guard !unsent.isEmpty else { return }
    unsent.removeFirst(try line.offer(unsent[...]))
  }
}
