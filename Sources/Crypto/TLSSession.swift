/// One side of a TLS session, as a state machine over bytes.
///
/// Both sides show the key they sign with and prove that they have it. Whoever drives it hands over
/// what has come by ``receive(_:)``, and after each call sends what ``outgoing()`` gives. When
/// something throws, that is once more worth sending: it tells the other side why.
package struct TLSSession: ~Copyable {
  package enum Side: Hashable, Sendable { case client, server }

  package enum Phase: Hashable, Sendable {
    /// The other side's key is not proved yet.
    case handshake
    /// This side is content. Whether the other is shows only when it says something: a server
    /// judges a client's key when the client is through with its own part.
    case unanswered
    /// Both know each other.
    case open
    /// The other side has said that it sends nothing more.
    case ended
  }

  package let side: Side
  package private(set) var phase = Phase.handshake
  private let handle: TLSHandle
  private var fault: TLSError?
  /// Bytes of the handshake that have come.
  private var handshakeBytes = 0

  /// Begins a session; a client has something to send at once.
  ///
  /// A key is admitted or not before the other side has proved that it has it, so whoever is asked
  /// should do nothing but answer.
  package static func begin(
    _ side: Side, as identity: TLSIdentity, admits: @escaping @Sendable (PublicKey) -> Bool
  ) throws(TLSError) -> TLSSession {
    var session = TLSSession(side, try identity.begin(TLSJudge(admits)))
    if side == .client { try session.shakeHands() }
    return session
  }

  private init(_ side: Side, _ handle: consuming TLSHandle) {
    self.side = side
    self.handle = handle
    self.handle.become(side)
  }

  /// The key that the other side has proved to have; nil during the handshake.
  package var peerKey: PublicKey? { phase == .handshake ? nil : handle.key }

  /// Takes bytes that have come, split as they may be, and returns the plaintext they complete.
  package mutating func receive(_ bytes: [UInt8]) throws(TLSError) -> [UInt8] {
    try checkFault()
    var plaintext: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first, phase != .ended {
      // Whatever else begins a stream is no TLS; OpenSSL has many words for that.
      if handshakeBytes == 0, first != 0x16, first != 0x15 { throw fail(.notTLS) }
      // Little at a time: what is fed at once stays allocated.
      let part = rest.prefix(TLSLimit.stepBytes)
      rest = rest.dropFirst(part.count)
      if phase == .handshake { handshakeBytes += part.count }
      try feed(part)
      try step(into: &plaintext)
    }
    return plaintext
  }

  /// Takes plaintext to be sent, as far as there is room, and returns how much it took.
  ///
  /// During the handshake, and while too much waits to be sent, it takes nothing.
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

  /// Takes the bytes that are to be sent to the other side.
  package mutating func outgoing() -> [UInt8] { handle.drain() }

  /// Says that nothing more will be sent, if there is anybody to say it to.
  package mutating func close() {
    if fault == nil, phase != .handshake { handle.sayGoodbye() }
  }

  /// Hears that the line has ended.
  ///
  /// - Throws: ``TLSError/cut`` when the other side had not said that it would, so that the end may
  ///   be anybody's doing.
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
    // Nobody has anything to ask that needs so long an answer.
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
      // An end before both know each other is none that was agreed.
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

/// The limits of a session, which hold whatever the other side sends.
package enum TLSLimit {
  /// What a handshake may bring; it is some 1,500 bytes.
  package static let handshakeBytes = 32 << 10
  /// What waits to be sent before no more is taken.
  package static let waitingBytes = 64 << 10
  /// The plaintext of one record, as TLS has it.
  static let recordBytes = 16 << 10
  /// What is handed to OpenSSL at once.
  static let stepBytes = 4 << 10
}
