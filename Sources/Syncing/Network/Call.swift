package import Crypto
import Platform

/// One connection of a sync server: a line, a TLS session, and the conversation inside.
///
/// No method blocks, with one exception: if a program's line breaks before the handshake is over, the program's exit
/// code is awaited for a moment. At most one portion of outgoing data is kept; more is created when the line can accept
/// it.
package final class Call {
  /// The call's number in its server.
  package let number: UInt64
  /// The destination that this side has dialed, or nil if the peer called.
  package let destination: Int?
  /// The time at which the call began or, after a login, its first bytes arrived, in milliseconds of the monotonic
  /// clock.
  package private(set) var start: Int64
  package private(set) var conversation: Conversation?
  /// Whether the peer has proved that it may take part.
  private(set) var isKnown = false
  /// The key whose memory quota the call uses instead of the peer's own quota.
  private var sponsor: PublicKey?
  /// Whether the peer has sent enough to receive an answer.
  private(set) var hasBeenAnswered = false

  /// The conversation is never called while the channel is being changed, because it can ask for the peer's key.
  private var channel: TLSChannel
  /// Whether a user may still be logging in to the peer's machine.
  private var isLoggingIn: Bool
  /// The error that prevented or ended the conversation.
  private var failure: SyncError?
  /// The time at which to stop sending closing messages; nil before the call has begun to send only these.
  private var leaveEnd: Int64?

  init(
    _ number: UInt64, over line: any Line, to destination: Int?, showing credentials: Credentials,
    now: Int64
  ) throws(SyncError) {
    (self.number, self.destination, start) = (number, destination, now)
    channel = try TLSChannel(
      destination == nil ? .server : .client, over: line, showing: credentials, now: now)
    isLoggingIn = channel.isOfProgram
  }

  /// The peer's address and port, for messages to the user.
  package var peer: String { channel.peer }

  /// The key with which the peer has authenticated; nil until then.
  package var peerKey: PublicKey? { channel.peerKey }

  /// The key whose memory quota the call uses; nil for the quota that all unknown peers share.
  var payer: PublicKey? { isKnown ? sponsor ?? peerKey : nil }

  /// Whether only closing messages remain to be sent.
  var isLeaving: Bool { leaveEnd != nil }

  /// The result, once the call has ended.
  var outcome: Result<Void, SyncError>? {
    if let failure { return .failure(failure) }
    switch conversation?.state {
    case .finished?: return .success(())
    case .failed(let error)?: return .failure(error)
    case .talking?, .settled?, nil: return nil
    }
  }

  /// Whether there are bytes to send.
  private var hasOutgoing: Bool { !channel.isFlushed || (conversation?.hasOutgoing ?? false) }

  /// The events to wait for on the line.
  var wanted: Interest { hasOutgoing ? [.reading, .writing] : .reading }

  /// The time at which the call must be handled even if nothing happens on the line.
  var deadline: Int64 {
    if let leaveEnd { return leaveEnd }
    guard let conversation else { return min(channel.stallDeadline, helloDeadline) }
    return min(channel.stallDeadline, conversation.deadline ?? .max)
  }

  /// The time by which the peer must have authenticated.
  private var helloDeadline: Int64 {
    start + (isLoggingIn ? Limit.loginMilliseconds : Limit.helloMilliseconds)
  }

  /// Whether there is nothing left to send, or the peer has closed the line.
  func isOver(at now: Int64) -> Bool {
    guard let leaveEnd else { return false }
    if now >= leaveEnd { return true }
    return channel.isFlushed && (channel.hasPeerEnded || channel.hasSaidGoodbye && !lingers)
  }

  /// Whether the line stays open until the peer has read the closing messages.
  private var lingers: Bool {
    if case .failed? = conversation?.state { return true }
    return false
  }
}

// MARK: - The conversation

extension Call {
  /// Begins the conversation with a peer that has authenticated.
  func begin(with acceptedPeer: AcceptedPeer) {
    (conversation, isKnown) = (acceptedPeer.conversation, acceptedPeer.isKnown)
    sponsor = acceptedPeer.payer
    conversation?.start()
  }

  /// Treats the peer as known once both sides hold the same events.
  func noteSettled() { if conversation?.state == .settled { isKnown = true } }

  /// Notifies the conversation that new events are available.
  func announceNews() { conversation?.announceNews() }

  /// Continues once the user has answered the question about the peer.
  func answer(refusing error: SyncError?) { conversation?.answer(refusing: error) }

  /// Ends the call because of an error on this side, or because the call is no longer needed.
  func fail(_ error: SyncError) {
    guard conversation == nil else {
      conversation?.lineBroke(error)
      return
    }
    failure = failure ?? error
  }

  /// Sends only closing messages from now on, for a limited time.
  func leave(at now: Int64) { leaveEnd = now + Limit.lastWordsMilliseconds }

  func close() { channel.close() }

  /// Handles timeouts that have passed.
  func tick(at now: Int64) {
    guard !isLeaving else { return }
    if conversation == nil {
      if now >= helloDeadline { failure = failure ?? .tooSlow }
    } else if let deadline = conversation?.deadline, now >= deadline {
      conversation?.tick()
    }
    if now >= channel.stallDeadline { lineBroke(.network(.timedOut)) }
  }

  private func lineBroke(_ error: SyncError) {
    fail(failure == nil && conversation == nil ? channel.explaining(error) : error)
    channel.giveUp(because: error)
  }
}

// MARK: - Receiving and sending

extension Call {
  /// Receives a portion of bytes.
  ///
  /// `begin` is called once the peer has authenticated.
  func receive(at now: Int64, _ begin: () throws(SyncError) -> Void) {
    let bytes: [UInt8]
    do throws(NetworkError) {
      bytes = try channel.receive()
    } catch {
      if error != .timedOut { lineBroke(.network(error)) }
      return
    }
    guard !isLeaving else { return }
    if isLoggingIn { (isLoggingIn, start) = (false, now) }
    do throws(TLSError) {
      try take(bytes, begin)
    } catch {
      lineBroke(.tls(error))
    }
  }

  private func take(
    _ bytes: [UInt8], _ begin: () throws(SyncError) -> Void
  ) throws(TLSError) {
    guard !bytes.isEmpty else { return try channel.checkEnd() }
    let plaintext = try channel.decrypt(bytes)
    if conversation == nil, channel.isHandshakeOver {
      do throws(SyncError) { try begin() } catch { failure = error }
    }
    if !plaintext.isEmpty { conversation?.receive(plaintext) }
    if channel.noteEnd() { conversation?.receive([]) }
  }

  /// Sends as much as the line accepts, up to the limit of one turn.
  func send(at now: Int64) {
    var share = Portion.turnBytes
    do throws(NetworkError) {
      while share > 0 {
        if channel.isFlushed { refill() }
        guard !channel.isFlushed else { break }
        hasBeenAnswered = true
        let count = try channel.offer(at: now)
        guard count > 0 else { return }
        share -= count
      }
      channel.restartTimeout(at: now)
    } catch {
      hearLastWords()
      lineBroke(.network(error))
    }
  }

  /// Reads what the peer sent before it closed the line, such as its reason, up to the limit of one turn.
  private func hearLastWords() {
    var share = Portion.turnBytes
    // The line is already broken, so an error while reading from it is ignored.
    while share > 0, outcome == nil, let bytes = try? channel.receive(), !bytes.isEmpty {
      share -= bytes.count
      do throws(TLSError) {
        let plaintext = try channel.decrypt(bytes)
        if !plaintext.isEmpty { conversation?.receive(plaintext) }
      } catch {
        lineBroke(.tls(error))
      }
    }
  }

  private func refill() {
    channel.collect()
    guard channel.isFlushed, failure == nil || isLeaving else { return }
    let plaintext = conversation?.outgoing(upTo: Portion.chunkBytes / 2) ?? []
    if plaintext.isEmpty, isLeaving { channel.sayGoodbye() }
    do throws(TLSError) {
      try channel.encrypt(plaintext)
    } catch {
      lineBroke(.tls(error))
    }
  }
}
