/// One side of a TLS session, as a state machine over bytes.
///
/// Both sides present their signing keys and prove that they own them. The caller passes received bytes to
/// ``receive(_:)``. After each call, it sends the bytes that ``outgoing()`` returns, even after an error, because these
/// bytes tell the other side the reason.
package struct TLSSession: ~Copyable {
  package enum Side: Hashable, Sendable { case client, server }

  package enum Phase: Hashable, Sendable {
    /// The other side's key has not been proved yet.
    case handshake
    /// This side has accepted the other side, but has received no data from it yet. A server checks a client's key only
    /// after the client has finished its part of the handshake, so a client learns only from the first data that it was
    /// accepted.
    case unanswered
    /// Both sides have accepted each other.
    case open
    /// The other side has announced that it will send no more data.
    case ended
  }

  package let side: Side
  package private(set) var phase = Phase.handshake
  private let handle: TLSHandle
  private var fault: TLSError?
  /// The number of handshake bytes received.
  private var handshakeBytes = 0

  /// Begins a session.
  ///
  /// A client then has bytes to send immediately.
  ///
  /// When `admits` is called, the other side has not yet proved that it owns the key, so the closure must not have side
  /// effects.
  ///
  /// - Parameters:
  ///   - side: The side of the session.
  ///   - identity: The identity that this side presents.
  ///   - admits: Returns whether to accept a key.
  /// - Returns: The session.
  /// - Throws: ``TLSError`` if OpenSSL fails.
  package static func begin(
    _ side: Side, as identity: TLSIdentity, admits: @escaping @Sendable (PublicKey) -> Bool
  ) throws(TLSError) -> TLSSession {
    var session = TLSSession(side, try identity.begin(TLSJudge(admits)))
    if side == .client { try session.shakeHands() }
    return session
  }

  /// Begins a session with a server that proves its name with a certificate from an authority.
  ///
  /// This side presents no key.
  ///
  /// - Parameters:
  ///   - host: The name or the address of the server.
  ///   - roots: The authorities.
  ///   - time: The current time, in seconds since 1970.
  /// - Returns: The session.
  /// - Throws: ``TLSError`` if OpenSSL fails.
  package static func begin(
    toward host: String, trusting roots: TrustedRoots, at time: Int64
  ) throws(TLSError) -> TLSSession {
    var session = TLSSession(.client, try roots.begin(toward: host, at: time))
    try session.shakeHands()
    return session
  }

  private init(_ side: Side, _ handle: consuming TLSHandle) {
    self.side = side
    self.handle = handle
    switch side {
    case .client: self.handle.becomeClient()
    case .server: self.handle.becomeServer()
    }
  }

  /// The other side's proved key; nil during the handshake, and for a server with a certificate from an authority.
  package var peerKey: PublicKey? { phase == .handshake ? nil : handle.key }

  /// Processes received bytes, which may be split at any offset, and returns the plaintext that they complete.
  ///
  /// - Parameter bytes: The received bytes.
  /// - Returns: The plaintext.
  /// - Throws: ``TLSError`` if the session has failed.
  package mutating func receive(_ bytes: [UInt8]) throws(TLSError) -> [UInt8] {
    try checkFault()
    var plaintext: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first, phase != .ended {
      // A stream that begins with any other byte is not TLS. OpenSSL would report many different errors for such
      // streams.
      if handshakeBytes == 0, first != 0x16, first != 0x15 { throw fail(.notTLS) }
      // Only a few bytes are passed at once, because OpenSSL does not release the memory that it allocates for them.
      let part = rest.prefix(TLSLimit.stepBytes)
      rest = rest.dropFirst(part.count)
      if phase == .handshake { handshakeBytes += part.count }
      try feed(part)
      try step(into: &plaintext)
    }
    return plaintext
  }

  /// Encrypts as much plaintext as the limit on waiting bytes allows.
  ///
  /// No plaintext is accepted during the handshake, or while too many bytes are waiting to be sent.
  ///
  /// - Parameter plaintext: The bytes to send.
  /// - Returns: The number of accepted bytes.
  /// - Throws: ``TLSError`` if the session has failed.
  package mutating func send(_ plaintext: ArraySlice<UInt8>) throws(TLSError) -> Int {
    try checkFault()
    guard phase != .handshake else { return 0 }
    var rest = plaintext
    while !rest.isEmpty, handle.waitingCount < TLSLimit.waitingBytes {
      guard case .done(let count) = try check(handle.write(rest.prefix(TLSLimit.recordBytes)))
      else { break }
      rest = rest.dropFirst(count)
    }
    return plaintext.count - rest.count
  }

  /// Removes and returns the bytes to send to the other side.
  package mutating func outgoing() -> [UInt8] { handle.drain() }

  /// Announces that no more data will be sent; does nothing if the session has failed or is still in the handshake.
  package mutating func close() {
    if fault == nil, phase != .handshake { handle.sayGoodbye() }
  }

  /// Handles the end of the connection.
  ///
  /// - Throws: ``TLSError/cut`` if the other side has not announced the end, in which case anyone may have cut the
  ///   connection.
  package mutating func lineEnded() throws(TLSError) {
    try checkFault()
    guard phase == .ended else { throw fail(.cut) }
  }

  private mutating func step(into plaintext: inout [UInt8]) throws(TLSError) {
    if phase == .handshake { try shakeHands() }
    guard phase != .handshake else {
      guard handshakeBytes <= TLSLimit.handshakeBytes else { throw fail(.tooMuch) }
      return
    }
    while case .done(let count) = try check(
      handle.read(upTo: TLSLimit.recordBytes, into: &plaintext))
    {
      if count > 0 { phase = .open }
    }
    // No valid message requires such a long answer.
    guard handle.waitingCount <= 2 * TLSLimit.waitingBytes else { throw fail(.tooMuch) }
  }

  private mutating func shakeHands() throws(TLSError) {
    guard case .done = try check(handle.shakeHands()) else { return }
    phase = .unanswered
  }

  private mutating func feed(_ bytes: ArraySlice<UInt8>) throws(TLSError) {
    do throws(TLSError) { try handle.feed(bytes) } catch { throw fail(error) }
  }

  private mutating func check(_ outcome: TLSHandle.Outcome) throws(TLSError) -> TLSHandle.Outcome {
    switch outcome {
    case .failed(let error): throw fail(error)
    case .ended:
      // If the end comes during the handshake, it is not a regular end.
      guard phase != .handshake else { throw fail(.cut) }
      phase = .ended
    case .done, .waits: break
    }
    return outcome
  }

  private mutating func fail(_ error: TLSError) -> TLSError {
    fault = error
    return error
  }

  private func checkFault() throws(TLSError) { if let fault { throw fault } }
}

/// The limits of a session, which do not depend on the other side.
package enum TLSLimit {
  /// The maximum number of handshake bytes to receive.
  ///
  /// A handshake usually takes about 1,500 bytes.
  package static let handshakeBytes = 32 << 10
  /// The number of waiting bytes at which no more plaintext is accepted.
  package static let waitingBytes = 64 << 10
  /// The maximum number of plaintext bytes in one TLS record.
  static let recordBytes = 16 << 10
  /// The maximum number of bytes to pass to OpenSSL at once.
  static let stepBytes = 4 << 10
}
