package import Platform
import Synchronization

/// Carries any number of sessions on one thread.
///
/// It waits for all of them at once, so one that is idle costs nothing. When a line is ready, a portion is taken from it
/// and a portion given to it, and then it is the next one's turn: who is slow, or says more than all the others, keeps
/// nobody waiting. What is due by the clock stands in a heap, so that nobody is asked when nothing is due.
package final class SyncServer {
  let machine: Machine
  let poller: any Poller
  /// How many may be talked with at once who have called and shown who they are.
  let mostSessions: Int
  unowned let host: any SyncServerDelegate
  var calls: [UInt64: Call] = [:]
  var door = PendingConnections()
  var timers = TimerQueue()
  var memoryQuota = MemoryQuota()
  /// How often it has looked up, for whoever wants to know how busy it is.
  package private(set) var turns = 0

  private var listener: (any Listener)?
  /// How often in a row no caller could be taken.
  private var doorFailures = 0
  private var mustCheck = false
  private var lastNumber = Token.firstCall
  private let dialled = Post()

  /// What the numbers mean that belong to no call.
  enum Token {
    static let listener: UInt64 = 1
    static let watch: UInt64 = 2
    static let firstCall: UInt64 = 15
  }

  /// What became of the dialling of a destination.
  private struct Dialled: Sendable {
    var destination: Int
    var line: Result<any Line, NetworkError>
  }

  /// Where those who dial leave what became of it.
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

  /// A call by its number, as long as it lasts.
  package func call(_ number: UInt64) -> Call? { calls[number] }

  /// How many calls there are.
  package var count: Int { calls.count }

  /// Takes whoever calls a listener from now on.
  package func listen(_ listener: any Listener) throws(SyncError) {
    try onNetwork { () throws(NetworkError) in
      try poller.add(listener, as: Token.listener, for: .reading)
    }
    self.listener = listener
  }

  /// Has the host look around when a watch has something to tell.
  package func attend(to watch: any Watch) throws(SyncError) {
    guard poller.canWait(for: watch) else {
      mustCheck = true
      return
    }
    try onNetwork { () throws(NetworkError) in
      try poller.add(watch, as: Token.watch, for: .reading)
    }
  }

  /// Calls a destination; whether it is reached is told later, or at once on a machine where nobody waits.
  ///
  /// It is dialled beside this thread: what a name means may take as long to find out as the dialling itself.
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

  /// Waits until something happens, and does what is to be done then.
  ///
  /// - Parameter patienceMilliseconds: How long to wait for it.
  /// - Returns: Whether a line, the listener or the watch had something to tell.
  /// - Throws: ``SyncError/network(_:)``, when this machine cannot go on.
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

  /// Tells all who stay that there is something new.
  package func announceNews() {
    for number in calls.keys.sorted() {
      guard let call = calls[number], !call.isLeaving else { continue }
      call.conversation?.announceNews()
      // It is said when its turn comes: to do it for all at once would keep those waiting who have something to say.
      want(call.wanted, of: call)
    }
  }

  /// Goes on with a caller of whom a user was asked.
  package func answer(_ number: UInt64, refusing error: SyncError?) {
    guard let call = calls[number] else { return }
    call.conversation?.answer(refusing: error)
    look(after: call)
  }

  /// Ends all calls, and says goodbye as far as that needs no waiting.
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

// MARK: - At the door

extension SyncServer {
  /// Takes some of those who stand at the door.
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

  /// Takes no caller for a moment: who has gone again, or a machine out of files, says nothing of the next one.
  private func closeDoor(_ error: NetworkError) throws(SyncError) {
    doorFailures += 1
    guard error != .cut, doorFailures < Limit.doorFailures else { throw .network(error) }
    if doorFailures == 1 { host.doorFailed(.network(error)) }
    // Who is not taken would be told again and again.
    try onNetwork { () throws(NetworkError) in try poller.change(Token.listener, to: []) }
    timers.set(Token.listener, at: now + Limit.doorPauseMilliseconds)
  }

  func openDoor() {
    guard listener != nil else { return }
    // Where that fails, the listener is gone, and the next turn says so.
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
    // Most have something to say, or to hear, at once.
    serve(call, .reading)
  }

  /// Lets a caller wait at the door, for which another may have to go.
  private func makeWait(_ call: Call) {
    let host = Endpoint(call.peer)?.host ?? call.peer
    // What has come of the other since it was last heard may be all that it takes to be let in.
    if let other = door.leaver(for: host).flatMap({ calls[$0] }) { serve(other, .reading) }
    if let leaver = door.enter(call.number, from: host).flatMap({ calls[$0] }) {
      leaver.fail(.unwelcome(.busy))
      look(after: leaver)
    }
  }
}

/// Turns what a network refuses into an error of a sync.
func onNetwork<Value>(_ body: () throws(NetworkError) -> Value) throws(SyncError) -> Value {
  do throws(NetworkError) { return try body() } catch { throw .network(error) }
}
