package import Crypto
import Platform

/// One connection of a sync server: a line, TLS, and the conversation inside.
///
/// Nothing here waits. At most one portion of outgoing data is kept; more is made when the line has room for it.
package final class Call {
  /// The number of the call in its server.
  package let number: UInt64
  /// The destination that this side has dialed, or nil if the peer called.
  package let destination: Int?
  /// When it began, on the monotonic clock, in milliseconds.
  package let start: Int64
  package internal(set) var conversation: Conversation?
  /// Whether the peer has nothing left to prove.
  var isKnown = false
  /// Whether only closing messages are left to send.
  private(set) var isLeaving = false

  private let line: any Line
  private var tls: TLSSession
  /// Bytes that the line has not accepted yet.
  private var unsent: [UInt8] = []
  /// When the line last accepted bytes, or had none to accept.
  private var lastTaken: Int64
  /// Why there is no conversation, or no longer one.
  private var failure: SyncError?
  private var hasSaidGoodbye = false
  /// Whether the peer has closed the line, or the line has broken.
  private var hasPeerEnded = false
  /// When to stop sending closing messages.
  private var end = Int64.max

  init(
    _ number: UInt64, over line: any Line, to destination: Int?, showing credentials: Credentials,
    now: Int64
  ) throws(SyncError) {
    (self.number, self.destination, self.line) = (number, destination, line)
    (start, lastTaken) = (now, now)
    do throws(TLSError) {
      tls = try TLSSession.begin(
        destination == nil ? .server : .client, as: credentials.identity, admits: credentials.admits
      )
    } catch {
      throw .tls(error)
    }
  }

  /// The address and port of the peer, for messages to the user.
  package var peer: String { line.peer }

  /// The key that the peer has proved to hold; nil before that.
  package var peerKey: PublicKey? { tls.peerKey }

  var polled: any Line { line }

  var isHandshakeOver: Bool { tls.phase != .handshake }

  /// Whether the peer has sent enough to be answered.
  private(set) var hasBeenAnswered = false

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
  private var hasOutgoing: Bool { !unsent.isEmpty || (conversation?.hasOutgoing ?? false) }

  /// The events of the line to wait for next.
  var wanted: Interest { hasOutgoing ? [.reading, .writing] : .reading }

  /// When it needs attention, even if nothing happens on the line.
  var deadline: Int64 {
    if isLeaving { return end }
    let stall = unsent.isEmpty ? Int64.max : lastTaken + Int64(Limit.silenceMilliseconds)
    guard let conversation else { return min(stall, start + Limit.helloMilliseconds) }
    return min(stall, conversation.deadline ?? .max)
  }

  /// Whether nothing is left to send, or the peer is gone.
  func isOver(at now: Int64) -> Bool {
    guard isLeaving else { return false }
    if now >= end || (hasPeerEnded && unsent.isEmpty) { return true }
    return hasSaidGoodbye && unsent.isEmpty && !lingers
  }

  /// Whether the line stays open until the peer has read the closing messages.
  private var lingers: Bool {
    if case .failed? = conversation?.state { return true }
    return false
  }
}

extension Call {
  /// Receives a portion of bytes.
  ///
  /// `begin` is called once the peer has shown its key.
  func receive(_ begin: () throws(SyncError) -> Void) {
    let bytes: [UInt8]
    do throws(NetworkError) {
      bytes = try line.receive(upTo: Limit.chunkBytes, patienceMilliseconds: 0)
    } catch {
      if error != .timedOut { lineBroke(.network(error)) }
      return
    }
    if bytes.isEmpty { hasPeerEnded = true }
    guard !isLeaving else { return }
    do throws(TLSError) {
      try take(bytes, begin)
    } catch {
      lineBroke(.tls(error))
    }
  }

  private func take(
    _ bytes: [UInt8], _ begin: () throws(SyncError) -> Void
  ) throws(TLSError) {
    guard !bytes.isEmpty else { return try tls.lineEnded() }
    let plaintext = try tls.receive(bytes)
    if conversation == nil, isHandshakeOver {
      do throws(SyncError) { try begin() } catch { failure = error }
    }
    if !plaintext.isEmpty { conversation?.receive(plaintext) }
    guard tls.phase == .ended, !hasPeerEnded else { return }
    hasPeerEnded = true
    conversation?.receive([])
  }

  private func lineBroke(_ error: SyncError) {
    hasPeerEnded = true
    if conversation == nil { failure = failure ?? error }
    conversation?.lineBroke(error)
    // After a TLS error, the alert is sent. Otherwise nothing more is sent.
    if case .tls = error { unsent += tls.outgoing() } else { unsent = [] }
  }

  /// Sends as much as the line accepts, up to the share of one turn.
  func send(at now: Int64) {
    var share = Limit.turnBytes
    do throws(NetworkError) {
      while share > 0 {
        if unsent.isEmpty { refill() }
        guard !unsent.isEmpty else { break }
        hasBeenAnswered = true
        let count = try line.offer(unsent[...])
        guard count > 0 else { return }
        (share, lastTaken) = (share - count, now)
        unsent = count < unsent.count ? Array(unsent[count...]) : []
      }
      if unsent.isEmpty { lastTaken = now }
    } catch {
      unsent = []
      lineBroke(.network(error))
    }
  }

  private func refill() {
    unsent = tls.outgoing()
    guard unsent.isEmpty, failure == nil || isLeaving else { return }
    var plaintext = (conversation?.outgoing(upTo: Limit.chunkBytes / 2) ?? [])[...]
    if plaintext.isEmpty, isLeaving, !hasSaidGoodbye {
      hasSaidGoodbye = true
      tls.close()
    }
    do throws(TLSError) {
      while !plaintext.isEmpty {
        let count = try tls.send(plaintext)
        unsent += tls.outgoing()
        guard count > 0 else { return }
        plaintext = plaintext.dropFirst(count)
      }
      unsent += tls.outgoing()
    } catch {
      lineBroke(.tls(error))
    }
  }

  /// Updates timeouts.
  func tick(at now: Int64) {
    guard !isLeaving else { return }
    if conversation == nil {
      if now >= start + Limit.helloMilliseconds { failure = failure ?? .tooSlow }
    } else if let deadline = conversation?.deadline, now >= deadline {
      conversation?.tick()
    }
    if !unsent.isEmpty, now >= lastTaken + Int64(Limit.silenceMilliseconds) {
      lineBroke(.network(.timedOut))
    }
  }

  /// Ends the call, because of an error on this side or because it is not needed any more.
  func fail(_ error: SyncError) {
    if conversation == nil { failure = failure ?? error } else { conversation?.lineBroke(error) }
  }

  /// Sends closing messages from now on, for a limited time.
  func leave(at now: Int64) {
    isLeaving = true
    end = now + Limit.lastWordsMilliseconds
  }

  func close() { line.close() }
}
