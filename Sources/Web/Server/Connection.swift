import Platform

/// One client connection, with the bytes that it has received and the bytes that are waiting to be sent.
final class Connection {
  let number: UInt64
  let line: any Line
  var parser = RequestParser()
  var interest: Interest = .reading
  /// Whether the gatekeeper has admitted one of the connection's requests.
  var isKnown = false
  /// Whether the connection carries an event stream, which ends only with the connection.
  var isStream = false
  /// Whether the connection closes once all bytes have been sent.
  var isLeaving = false
  /// Whether the connection stays open for a short time after all bytes have been sent, because closing it could
  /// discard the response in transit.
  var lingers = false
  private(set) var isBroken = false
  private var unsent: [UInt8] = []
  /// The number of bytes of `unsent` that have been sent.
  private var sent = 0
  /// The time at which the current request began to arrive, or the last response was sent.
  private(set) var since: Int64
  /// The time at which bytes were last sent.
  private(set) var lastSent: Int64

  init(_ number: UInt64, over line: any Line, now: Int64) {
    (self.number, self.line, since, lastSent) = (number, line, now, now)
  }

  var unsentBytes: Int { unsent.count - sent }

  /// Whether the connection can be dropped.
  var isOver: Bool { isBroken || (isLeaving && unsentBytes == 0 && !lingers) }

  var wanted: Interest {
    // Do not read more requests from a client that does not read its response.
    if unsentBytes > 0 { return isStream ? [.reading, .writing] : .writing }
    return .reading
  }

  /// The time at which the connection times out; for a stream, the time of the next heartbeat.
  var deadline: Int64 {
    if isStream { return lastSent + HTTPLimit.heartbeatMilliseconds }
    if lingers, unsentBytes == 0 { return since + HTTPLimit.lingerMilliseconds }
    let isBusy = parser.isUnderWay || unsentBytes > 0 || isLeaving
    return since + (isBusy ? HTTPLimit.requestMilliseconds : HTTPLimit.idleMilliseconds)
  }

  /// Reads one portion of the bytes that have arrived.
  func receive(now: Int64) {
    do throws(NetworkError) {
      let bytes = try line.receive(upTo: 16 << 10, patienceMilliseconds: 0)
      if bytes.isEmpty { isBroken = true }
      // Bytes from a stream's client are ignored.
      guard !isStream, !isLeaving else { return }
      if !parser.isUnderWay { since = now }
      parser.take(bytes)
    } catch {
      if error != .timedOut { isBroken = true }
    }
  }

  /// Queues bytes to be sent.
  func send(_ bytes: [UInt8]) { unsent += bytes }

  /// Sends as many bytes as the line accepts.
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
