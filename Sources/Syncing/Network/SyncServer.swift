package import Platform
import Synchronization

/// Runs any number of sessions on one thread.
///
/// It waits for all lines at once, so an idle session costs nothing. When a line is ready, it receives one portion
/// and sends one portion, and then the next line has its turn. So a slow or busy peer does not delay the others.
/// Deadlines are in a heap, so no call is checked before its deadline.
package final class SyncServer {
  let machine: Machine
  let poller: any Poller
  /// The maximum number of sessions, without callers that have not proved that they may take part.
  let mostSessions: Int
  unowned let host: any SyncServerDelegate
  var calls: [UInt64: Call] = [:]
  var door = PendingConnections()
  var timers = TimerQueue()
  var memoryQuota = MemoryQuota()
  /// The number of turns so far, as a measure of load.
  package private(set) var turns = 0

  private var listener: (any Listener)?
  /// How many times in a row no caller could be accepted.
  private var doorFailures = 0
  private var mustCheck = false
  private var lastNumber = Token.firstCall
  private let dialled = Post()

  /// The tokens that stand for no call.
  enum Token {
    static let listener: UInt64 = 1
    static let watch: UInt64 = 2
    static let firstCall: UInt64 = 15
  }

  /// The result of dialing a destination.
  private struct Dialled: Sendable {
    var destination: Int
    var line: Result<any Line, NetworkError>
  }

  /// The results that the dialing threads leave here.
  private final class Post: Sendable {
    private let letters = Mutex<[Dialled]>([])

    func leave(_ letter: Dialled) { letters.withLock { $0.append(letter) } }

    func takeAll() -> [Dialled] {
      letters.withLock { letters in
        defer { letters = [] }
        return letters
      }
    }
  }

  package init(
    on machine: Machine, host: any SyncServerDelegate, mostSessions: Int = Limit.sessions
  ) throws(SyncError) {
    (self.machine, self.host, self.mostSessions) = (machine, host, mostSessions)
    poller = try onNetwork { () throws(NetworkError) in try machine.network.poller() }
  }

  var now: Int64 { machine.timekeeper.monotonicMilliseconds() }

  /// A call by its number, while it lasts.
  package func call(_ number: UInt64) -> Call? { calls[number] }

  /// The number of calls.
  package var count: Int { calls.count }

  /// Accepts callers of a listener from now on.
  package func listen(_ listener: any Listener) throws(SyncError) {
    try onNetwork { () throws(NetworkError) in
      try poller.add(listener, as: Token.listener, for: .reading)
    }
    self.listener = listener
  }

  /// Lets the host check for commits when a watch fires.
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
  /// The result is reported later, or at once on a machine without threads.
  ///
  /// It is dialed on another thread, because resolving a name can take as long as dialing.
  package func dial(_ endpoint: Endpoint, as destination: Int) {
    let (network, poller, dialled) = (machine.network, poller, dialled)
    let dial: @Sendable () -> Result<any Line, NetworkError> = {
      do throws(NetworkError) {
        let patience = Int(Limit.helloMilliseconds)
        return .success(
          try network.dial(
            host: endpoint.host, port: endpoint.port, patienceMilliseconds: patience))
      } catch {
        return .failure(error)
      }
    }
    guard let beside = machine.beside else {
      return take(Dialled(destination: destination, line: dial()))
    }
    beside {
      dialled.leave(Dialled(destination: destination, line: dial()))
      poller.wake()
    }
  }

  /// Waits for the next event and handles it.
  ///
  /// - Parameter patienceMilliseconds: How long to wait.
  /// - Returns: Whether a line, the listener or the watch was ready.
  /// - Throws: ``SyncError/network(_:)`` if this machine cannot continue.
  @discardableResult
  package func turn(patienceMilliseconds: Int) throws(SyncError) -> Bool {
    let rest = max(0, (timers.next ?? .max) - now)
    let patience = min(Int64(patienceMilliseconds), rest)
    let ready = try onNetwork { () throws(NetworkError) in
      try poller.wait(patienceMilliseconds: Int(patience))
    }
    turns += 1
    for each in dialled.takeAll() { take(each) }
    if mustCheck { host.checkForCommits() }
    for each in ready {
      switch each.token {
      case Token.listener: try answerDoor()
      case Token.watch: host.checkForCommits()
      default: if let call = calls[each.token] { serve(call, each.interest) }
      }
    }
    while let token = timers.takeDue(at: now) { ring(token) }
    return !ready.isEmpty
  }

  /// Tells all calls that there are new events.
  package func announceNews() {
    for number in calls.keys.sorted() {
      guard let call = calls[number], !call.isLeaving else { continue }
      call.conversation?.announceNews()
      // Each call sends them when its turn comes. Sending all at once would delay calls that are ready.
      want(call.wanted, of: call)
    }
  }

  /// Continues with a caller after the user was asked about it.
  package func answer(_ number: UInt64, refusing error: SyncError?) {
    guard let call = calls[number] else { return }
    call.conversation?.answer(refusing: error)
    look(after: call)
  }

  /// Ends all calls, and sends closing messages as far as that does not block.
  package func stop() {
    for number in calls.keys.sorted() {
      guard let call = calls[number] else { continue }
      if !call.isLeaving {
        call.fail(.cut)
        conclude(call)
      }
      call.send(at: now)
      remove(call)
    }
    if listener != nil { poller.remove(Token.listener) }
    listener = nil
  }

  private func take(_ dialled: Dialled) {
    switch dialled.line {
    case .failure(let error): host.missed(dialled.destination, because: .network(error))
    case .success(let line):
      do throws(SyncError) {
        try add(line, to: dialled.destination)
      } catch {
        line.close()
        host.missed(dialled.destination, because: error)
      }
    }
  }
}

// MARK: - Accepting callers

extension SyncServer {
  /// Accepts some of the waiting callers.
  private func answerDoor() throws(SyncError) {
    for _ in 0..<Limit.callersAtOnce {
      let line: (any Line)?
      do throws(NetworkError) {
        line = try listener?.accept(patienceMilliseconds: 0)
      } catch {
        return try closeDoor(error)
      }
      guard let line else { return }
      doorFailures = 0
      do throws(SyncError) {
        try add(line, to: nil)
      } catch {
        line.close()
        host.doorFailed(error)
      }
    }
  }

  /// Accepts no caller for a moment.
  ///
  /// A caller that has gone again, or a lack of files, says nothing about the next caller.
  private func closeDoor(_ error: NetworkError) throws(SyncError) {
    doorFailures += 1
    guard error != .cut, doorFailures < Limit.doorFailures else { throw .network(error) }
    if doorFailures == 1 { host.doorFailed(.network(error)) }
    // Otherwise the poller would report the waiting caller again and again.
    try onNetwork { () throws(NetworkError) in try poller.change(Token.listener, to: []) }
    timers.set(Token.listener, at: now + Limit.doorPauseMilliseconds)
  }

  func openDoor() {
    guard listener != nil else { return }
    // If this fails, the listener is gone, and the next turn reports that.
    try? poller.change(Token.listener, to: .reading)
  }

  private func add(_ line: any Line, to destination: Int?) throws(SyncError) {
    let credentials = try host.credentials(for: destination)
    lastNumber += 1
    let call = try Call(lastNumber, over: line, to: destination, showing: credentials, now: now)
    try onNetwork { () throws(NetworkError) in
      try poller.add(line, as: call.number, for: call.interest)
    }
    calls[call.number] = call
    if destination == nil { makeWait(call) }
    // Most callers have data to exchange at once.
    serve(call, .reading)
  }

  /// Adds a caller to those that have not proved themselves, which may remove another one.
  private func makeWait(_ call: Call) {
    let host = Endpoint(call.peer)?.host ?? call.peer
    // Data that the other caller has sent meanwhile may be all that it needs to be accepted.
    if let other = door.leaver(for: host).flatMap({ calls[$0] }) { serve(other, .reading) }
    if let leaver = door.enter(call.number, from: host).flatMap({ calls[$0] }) {
      leaver.fail(.unwelcome(.busy))
      look(after: leaver)
    }
  }
}

/// Converts a network error into a sync error.
func onNetwork<Value>(_ body: () throws(NetworkError) -> Value) throws(SyncError) -> Value {
  do throws(NetworkError) { return try body() } catch { throw .network(error) }
}
