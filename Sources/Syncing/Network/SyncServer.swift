package import Platform

/// Runs any number of sessions on one thread.
///
/// The server waits for all lines at once, so an idle session costs nothing. When a line is ready, the server receives
/// one portion and sends one portion, and then handles the next line. A slow or busy peer therefore does not delay the
/// others. Deadlines are kept in a heap, so no call is checked before its deadline.
package final class SyncServer {
  private unowned let host: any SyncServerDelegate
  private let timekeeper: any Timekeeper
  private let poller: any Poller
  let calls: ActiveCalls
  private let dialer: Dialer
  private var acceptor: Acceptor
  /// Whether the poller cannot wait for the watch, so that each turn has to check for commits.
  private var mustCheck = false

  /// The tokens in the poller that do not belong to calls.
  private enum Token {
    static let listener: UInt64 = 1
    static let watch: UInt64 = 2
    static let last: UInt64 = 15
  }

  package init(
    on machine: Machine, host: any SyncServerDelegate, mostSessions: Int = Limit.sessions
  ) throws(SyncError) {
    (self.host, timekeeper) = (host, machine.timekeeper)
    poller = try onNetwork { () throws(NetworkError) in try machine.network.poller() }
    calls = ActiveCalls(
      host: host, poller: poller, timekeeper: timekeeper, mostSessions: mostSessions,
      numberedAfter: Token.last)
    dialer = Dialer(on: machine, waking: poller)
    acceptor = Acceptor(on: poller, as: Token.listener)
  }

  private var now: Int64 { timekeeper.monotonicMilliseconds() }

  /// The call with the given number, if it has not ended.
  package func call(_ number: UInt64) -> Call? { calls[number] }

  /// The number of calls.
  package var count: Int { calls.count }

  /// Starts to accept callers of the given listener.
  package func listen(_ listener: any Listener) throws(SyncError) { try acceptor.listen(listener) }

  /// Serves a caller that is already connected.
  package func serve(_ line: any Line) throws(SyncError) {
    do throws(SyncError) { try calls.begin(over: line, to: nil) } catch {
      line.close()
      throw error
    }
  }

  /// Makes the host check for commits whenever a watch fires.
  package func attend(to watch: any Watch) throws(SyncError) {
    guard poller.canWait(for: watch) else {
      mustCheck = true
      return
    }
    try onNetwork { () throws(NetworkError) in
      try poller.add(watch, as: Token.watch, for: .reading)
    }
  }

  /// Dials a destination.
  ///
  /// The result is reported later or, on a machine without threads, at once.
  package func dial(_ address: MachineAddress, as destination: Int) {
    if let answer = dialer.dial(address, as: destination) { take(answer) }
  }

  /// Waits for the next event and handles it.
  ///
  /// - Parameter patienceMilliseconds: The maximum time to wait.
  /// - Returns: Whether a line, the listener or the watch was ready.
  /// - Throws: ``SyncError/network(_:)`` if this machine cannot continue.
  @discardableResult
  package func turn(patienceMilliseconds: Int) throws(SyncError) -> Bool {
    let rest = max(0, min(calls.nextTimer ?? .max, acceptor.pauseEnd) - now)
    let patience = min(Int64(patienceMilliseconds), rest)
    let ready = try onNetwork { () throws(NetworkError) in
      try poller.wait(patienceMilliseconds: Int(patience))
    }
    for answer in dialer.takeAnswers() { take(answer) }
    if mustCheck { host.checkForCommits() }
    for each in ready {
      switch each.token {
      case Token.listener: try acceptCallers()
      case Token.watch: host.checkForCommits()
      default: calls.serve(each.token, each.interest)
      }
    }
    calls.ring()
    acceptor.resume(at: now)
    return !ready.isEmpty
  }

  /// Notifies all calls that new events are available.
  package func announceNews() { calls.announceNews() }

  /// Continues with a caller once the user has answered.
  package func answer(_ number: UInt64, refusing error: SyncError?) {
    calls.answer(number, refusing: error)
  }

  /// Ends all calls, and sends closing messages if this does not block.
  package func stop() {
    calls.end()
    acceptor.close()
  }

  /// Begins a call with a destination that has answered.
  private func take(_ answer: Dialer.Answer) {
    switch answer.line {
    case .failure(let error): host.missed(answer.destination, because: .network(error))
    case .success(let line):
      do throws(SyncError) {
        try calls.begin(over: line, to: answer.destination)
      } catch {
        line.close()
        host.missed(answer.destination, because: error)
      }
    }
  }

  /// Accepts some of the waiting callers.
  private func acceptCallers() throws(SyncError) {
    for _ in 0..<Acceptor.callersAtOnce {
      let line: (any Line)?
      do throws(NetworkError) {
        line = try acceptor.accept()
      } catch {
        if try acceptor.noteFailure(error) { host.doorFailed(.network(error)) }
        return try acceptor.pause(until: now + Acceptor.pauseMilliseconds)
      }
      guard let line else { return }
      do throws(SyncError) {
        try calls.begin(over: line, to: nil)
      } catch {
        line.close()
        host.doorFailed(error)
      }
    }
  }
}

/// Converts a network error into a sync error.
func onNetwork<Value>(_ body: () throws(NetworkError) -> Value) throws(SyncError) -> Value {
  do throws(NetworkError) { return try body() } catch { throw .network(error) }
}
