import Platform

/// One client of the server: what has come from it, and what waits to go to it.
final class Connection {
  let number: UInt64
  let line: any Line
  var parser = RequestParser()
  var interest: Interest = .reading
  /// Whether a request of it was let in.
  var isKnown = false
  /// Whether it is a stream, which ends only with the connection.
  var isStream = false
  /// Whether it ends as soon as all has gone out.
  var isLeaving = false
  /// Whether it is then still listened to for a moment, so that the end does not overtake the answer.
  var lingers = false
  private(set) var isBroken = false
  private var unsent: [UInt8] = []
  /// How much of what is unsent has gone.
  private var sent = 0
  /// When the request under way began to come, or the last answer went out.
  private(set) var since: Int64
  /// When anything went out last.
  private(set) var lastSent: Int64

  init(_ number: UInt64, over line: any Line, now: Int64) {
    (self.number, self.line, since, lastSent) = (number, line, now, now)
  }

  var unsentBytes: Int { unsent.count - sent }

  /// Whether nothing is left to do for it.
  var isOver: Bool { isBroken || (isLeaving && unsentBytes == 0 && !lingers) }

  var wanted: Interest {
    // Who does not take what it asked for is asked nothing more.
    if unsentBytes > 0 { return isStream ? [.reading, .writing] : .writing }
    return .reading
  }

  /// When it has had long enough.
  var deadline: Int64 {
    if isStream { return lastSent + HTTPLimit.heartbeatMilliseconds }
    if lingers, unsentBytes == 0 { return since + HTTPLimit.lingerMilliseconds }
    let isBusy = parser.isUnderWay || unsentBytes > 0 || isLeaving
    return since + (isBusy ? HTTPLimit.requestMilliseconds : HTTPLimit.idleMilliseconds)
  }

  /// Takes a portion of what has come.
  func receive(now: Int64) {
    do throws(NetworkError) {
      let bytes = try line.receive(upTo: 16 << 10, patienceMilliseconds: 0)
      if bytes.isEmpty { isBroken = true }
      // What a stream's client says is not listened to.
      guard !isStream, !isLeaving else { return }
      if !parser.isUnderWay { since = now }
      parser.take(bytes)
    } catch {
      if error != .timedOut { isBroken = true }
    }
  }

  /// Lets something wait to go out.
  func send(_ bytes: [UInt8]) { unsent += bytes }

  /// Hands over as much as the line takes.
  func flush(now: Int64) {
    do throws(NetworkError) {
      while unsentBytes > 0 {
        let count = try line.offer(unsent[sent...])
        guard count > 0 else { break }
        (sent, lastSent) = (sent + count, now)
      }
    } catch {
      isBroken = true
    }
    guard unsentBytes == 0, sent > 0 else { return }
    (unsent, sent, since) = ([], 0, now)
  }

  func close() { line.close() }
}
