package import Crypto
import Platform

/// One line of a switchboard, with what is said over it: TLS, and in it the conversation.
///
/// Nothing here waits. Of what is to be sent a portion at most is kept; the rest is made when there is room for it.
package final class Call {
  /// The number under which the switchboard knows it.
  package let number: UInt64
  /// Whom this side has dialled; nil where it was called.
  package let destination: Int?
  /// When it began, by the clock that only runs forward.
  package let start: Int64
  package internal(set) var conversation: Conversation?
  /// Whether the other needs to prove nothing any more.
  var isKnown = false
  /// What is waited for now.
  var interest: Interest = .reading
  /// The earliest alarm that is set for it.
  var alarm = Int64.max
  /// Whether all is said but for last words.
  private(set) var isLeaving = false

  private let line: any Line
  private var tls: TLSSession
  /// What the line has not taken yet.
  private var unsent: [UInt8] = []
  /// When the line last took something, or there was nothing to take.
  private var lastTaken: Int64
  /// Why there is no conversation, or none any more.
  private var failure: SyncError?
  private var hasSaidGoodbye = false
  /// Whether the other has ended, in whatever way.
  private var hasPeerEnded = false
  /// When last words are given up.
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

  /// The other end's address and port, for messages to people.
  package var peer: String { line.peer }

  /// The key that the other has proved to have; nil before it has.
  package var peerKey: PublicKey? { tls.peerKey }

  var polled: any Line { line }

  var isHandshakeOver: Bool { tls.phase != .handshake }

  /// Whether the other has said so much that there was an answer to it.
  private(set) var hasBeenAnswered = false

  /// How it has ended, if it has.
  var outcome: Result<Void, SyncError>? {
    if let failure { return .failure(failure) }
    switch conversation?.state {
    case .finished?: return .success(())
    case .failed(let error)?: return .failure(error)
    case .talking?, .settled?, nil: return nil
    }
  }

  /// What waits to be sent, or would.
  private var hasOutgoing: Bool { !unsent.isEmpty || (conversation?.hasOutgoing ?? false) }

  /// What is to be waited for next.
  var wanted: Interest { hasOutgoing ? [.reading, .writing] : .reading }

  /// When it has to be looked after, even if nothing happens.
  var deadline: Int64 {
    if isLeaving { return end }
    let stall = unsent.isEmpty ? Int64.max : lastTaken + Int64(Limit.silenceMilliseconds)
    guard let conversation else { return min(stall, start + Limit.helloMilliseconds) }
    return min(stall, conversation.deadline ?? .max)
  }

  /// Whether nothing is left to be said, or nobody there to hear it.
  func isOver(at now: Int64) -> Bool {
    guard isLeaving else { return false }
    if now >= end || (hasPeerEnded && unsent.isEmpty) { return true }
    return hasSaidGoodbye && unsent.isEmpty && !lingers
  }

  /// Whether it is waited for the other to hear last words before the line is closed.
  private var lingers: Bool {
    if case .failed? = conversation?.state { return true }
    return false
  }
}

extension Call {
  /// Takes a portion of what has come; `begin` is called once the other has shown its key.
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
    // Why it was ended is worth telling; what was said before that is not.
    if case .tls = error { unsent += tls.outgoing() } else { unsent = [] }
  }

  /// Hands over what there is to be said, as much as the line takes, but no more than a turn's share.
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

  /// Notes that time has passed.
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

  /// Ends it for a reason on this side, or because nobody wants it any more.
  func fail(_ error: SyncError) {
    if conversation == nil { failure = failure ?? error } else { conversation?.lineBroke(error) }
  }

  /// Says last words from now on, and for no longer than a moment.
  func leave(at now: Int64) {
    isLeaving = true
    end = now + Limit.lastWordsMilliseconds
  }

  func close() { line.close() }
}
