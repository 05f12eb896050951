import Crypto
import Platform

/// TLS over a line, without blocking.
///
/// The channel keeps the bytes that the line has not yet accepted. If the owner adds more bytes only after all of these
/// have been sent, the channel keeps at most one portion.
struct TLSChannel: ~Copyable {
  private let line: any Line
  private var tls: TLSSession
  /// Bytes that the line has not yet accepted.
  private var unsent: [UInt8] = []
  /// The time at which the line last accepted bytes or had no bytes to accept.
  private var lastTaken: Int64
  private(set) var hasSaidGoodbye = false
  /// Whether the peer has closed the line, or the line has broken.
  private(set) var hasPeerEnded = false

  init(
    _ side: TLSSession.Side, over line: any Line, showing credentials: Credentials, now: Int64
  ) throws(SyncError) {
    (self.line, lastTaken) = (line, now)
    do throws(TLSError) {
      tls = try TLSSession.begin(side, as: credentials.identity, admits: credentials.admits)
    } catch {
      throw .tls(error)
    }
  }

  /// Whether a program connects the line, so that the program's user may have to log in first.
  var isOfProgram: Bool { line is any ProgramLine }

  /// The peer's address and port.
  var peer: String { line.peer }

  /// The key with which the peer has authenticated; nil until then.
  var peerKey: PublicKey? { tls.peerKey }

  var isHandshakeOver: Bool { tls.phase != .handshake }

  /// Whether the line has accepted all bytes.
  var isFlushed: Bool { unsent.isEmpty }

  /// The time at which the call ends unless the line accepts bytes before then; `Int64.max` if there is nothing to
  /// send.
  var stallDeadline: Int64 {
    unsent.isEmpty ? .max : lastTaken + Int64(Limit.silenceMilliseconds)
  }

  // MARK: Receiving

  /// Receives a portion of encrypted bytes; empty if the peer has closed the line.
  mutating func receive() throws(NetworkError) -> [UInt8] {
    let bytes = try line.receive(upTo: Portion.chunkBytes, patienceMilliseconds: 0)
    if bytes.isEmpty { hasPeerEnded = true }
    return bytes
  }

  /// Decrypts received bytes.
  mutating func decrypt(_ bytes: [UInt8]) throws(TLSError) -> [UInt8] { try tls.receive(bytes) }

  /// Checks that the peer announced the end of its data before it closed the line.
  mutating func checkEnd() throws(TLSError) { try tls.lineEnded() }

  /// Records whether the peer has announced the end of its data.
  ///
  /// - Returns: Whether the announcement is new.
  mutating func noteEnd() -> Bool {
    guard tls.phase == .ended, !hasPeerEnded else { return false }
    hasPeerEnded = true
    return true
  }

  // MARK: Sending

  /// Offers the line the bytes that it has not yet accepted.
  ///
  /// - Returns: The number of accepted bytes.
  mutating func offer(at now: Int64) throws(NetworkError) -> Int {
    let count = try line.offer(unsent[...])
    guard count > 0 else { return 0 }
    lastTaken = now
    unsent = count < unsent.count ? Array(unsent[count...]) : []
    return count
  }

  /// Restarts the timeout for accepting bytes, if there are no bytes to accept.
  mutating func restartTimeout(at now: Int64) { if unsent.isEmpty { lastTaken = now } }

  /// Collects the bytes that TLS itself has to send, once all earlier bytes have been sent.
  mutating func collect() { unsent = tls.outgoing() }

  /// Encrypts bytes to be sent.
  mutating func encrypt(_ plaintext: [UInt8]) throws(TLSError) {
    var rest = plaintext[...]
    while !rest.isEmpty {
      let count = try tls.send(rest)
      unsent += tls.outgoing()
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
    unsent += tls.outgoing()
  }

  /// Announces the end of the data.
  ///
  /// The next ``encrypt(_:)`` includes the alert.
  mutating func sayGoodbye() {
    guard !hasSaidGoodbye else { return }
    hasSaidGoodbye = true
    tls.close()
  }

  /// Gives up a broken line.
  ///
  /// After a TLS error, the alert is still sent. After other errors, no more data is sent.
  mutating func giveUp(because error: SyncError) {
    hasPeerEnded = true
    if case .tls = error { unsent += tls.outgoing() } else { unsent = [] }
  }

  /// The error for a line that failed before the peer proved its key.
  func explaining(_ error: SyncError) -> SyncError { error.explained(by: line) }

  func close() { line.close() }
}
