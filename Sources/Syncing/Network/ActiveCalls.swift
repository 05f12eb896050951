import Platform

/// The calls of a sync server, with their deadlines, and the limits on their number and memory.
final class ActiveCalls {
  /// A call, and the events that it waits for.
  private struct Entry {
    let call: Call
    /// The events for which the poller watches the line.
    var interest = Interest.reading
    /// The earliest timer that is set for the call.
    var alarm = Int64.max
  }

  private unowned let host: any SyncServerDelegate
  private let poller: any Poller
  private let timekeeper: any Timekeeper
  /// The maximum number of sessions, not counting callers that have not yet proved that they may take part.
  private let mostSessions: Int
  private var entries: [UInt64: Entry] = [:]
  private var lastNumber: UInt64
  private var pendingConnections = PendingConnections()
  var memoryQuota = MemoryQuota()
  private var timers = TimerQueue()

  /// Creates an empty collection of calls.
  ///
  /// The poller identifies each call by its number. The first call receives the number after the given one.
  init(
    host: any SyncServerDelegate, poller: any Poller, timekeeper: any Timekeeper,
    mostSessions: Int, numberedAfter lastNumber: UInt64
  ) {
    (self.host, self.poller, self.timekeeper) = (host, poller, timekeeper)
    (self.mostSessions, self.lastNumber) = (mostSessions, lastNumber)
  }

  /// The call with the given number, if it has not ended.
  subscript(number: UInt64) -> Call? { entries[number]?.call }

  var count: Int { entries.count }

  /// The time at which the next timer fires, according to the monotonic clock.
  var nextTimer: Int64? { timers.next }

  private var now: Int64 { timekeeper.monotonicMilliseconds() }

  /// The numbers of the current calls, in the order in which the calls began.
  private var inOrder: [UInt64] { entries.keys.sorted() }
}

// MARK: - What happens to calls

extension ActiveCalls {
  /// Begins a call over a line.
  ///
  /// If the method throws, the line is still open.
  func begin(over line: any Line, to destination: Int?) throws(SyncError) {
    let credentials = try host.credentials(for: destination)
    lastNumber += 1
    let call = try Call(lastNumber, over: line, to: destination, showing: credentials, now: now)
    let entry = Entry(call: call)
    try onNetwork { () throws(NetworkError) in
      try poller.add(line, as: call.number, for: entry.interest)
    }
    entries[call.number] = entry
    if destination == nil { makeWait(call) }
    // Most callers have already sent data.
    serve(call, .reading)
  }

  /// Receives from a ready call, and sends to it.
  func serve(_ number: UInt64, _ interest: Interest) {
    if let call = self[number] { serve(call, interest) }
  }

  /// Handles deadlines that have passed.
  func ring() {
    while let number = timers.takeDue(at: now) { ring(number) }
  }

  /// Notifies all calls that new events are available.
  func announceNews() {
    for number in inOrder {
      guard let call = self[number], !call.isLeaving else { continue }
      call.announceNews()
      // Each call sends the events in its own turn. If all calls sent them at once, calls that are ready would be
      // delayed.
      want(call.wanted, of: call)
    }
  }

  /// Continues with a caller once the user has answered.
  func answer(_ number: UInt64, refusing error: SyncError?) {
    guard let call = self[number] else { return }
    call.answer(refusing: error)
    look(after: call)
  }

  /// Ends all calls, and sends closing messages if this does not block.
  func end() {
    for number in inOrder {
      guard let call = self[number] else { continue }
      if !call.isLeaving {
        call.fail(.cut)
        conclude(call)
      }
      call.send(at: now)
      remove(call)
    }
  }
}

// MARK: - One call

extension ActiveCalls {
  /// Adds a call to the callers that have not yet proved that they may take part.
  ///
  /// To make space, another caller may be removed.
  private func makeWait(_ call: Call) {
    let host = Endpoint(call.peer)?.host ?? call.peer
    // In the meantime, the other caller may have sent enough data to be accepted.
    if let other = pendingConnections.leaver(for: host).flatMap({ self[$0] }) {
      serve(other, .reading)
    }
    if let leaver = pendingConnections.enter(call.number, from: host).flatMap({ self[$0] }) {
      leaver.fail(.unwelcome(.busy))
      look(after: leaver)
    }
  }

  private func serve(_ call: Call, _ interest: Interest) {
    if interest.contains(.reading) {
      call.receive(at: now) { () throws(SyncError) in try self.introduce(call) }
    }
    look(after: call)
  }

  /// Begins the conversation with a peer that has authenticated.
  private func introduce(_ call: Call) throws(SyncError) {
    call.begin(with: try host.converse(call))
    // The peer has authenticated, so it may learn the reason.
    let isFull = entries.count - pendingConnections.count >= mostSessions
    if isFull, call.destination == nil { call.fail(.unwelcome(.busy)) }
  }

  /// Sends data, and handles the new state of the conversation.
  private func look(after call: Call) {
    if isTooHeavy(call), call.outcome == nil { call.fail(.unwelcome(.busy)) }
    if call.outcome == nil { call.send(at: now) }
    if !call.isLeaving {
      noteWhetherKnown(call)
      // One portion of bytes can both report that the peer has all events and close the line.
      if [.settled, .finished].contains(call.conversation?.state) { host.settled(call) }
    }
    if call.outcome != nil, !call.isLeaving { conclude(call) }
    if call.isLeaving { call.send(at: now) }
    if call.isOver(at: now) { return remove(call) }
    want(call.wanted, of: call)
    setAlarm(for: call)
  }

  /// Whether the device that pays for a call exceeds its memory quota, counting all calls that it pays for.
  private func isTooHeavy(_ call: Call) -> Bool {
    memoryQuota.weigh(call.number, of: call.payer, bytes: call.conversation?.heldBytes ?? 0)
  }

  private func noteWhetherKnown(_ call: Call) {
    guard call.destination == nil else { return }
    if call.hasBeenAnswered { pendingConnections.noteSpoken(call.number) }
    call.noteSettled()
    if call.isKnown { pendingConnections.leave(call.number) }
  }

  /// Informs the host that a call has ended, and sends its closing messages.
  private func conclude(_ call: Call) {
    guard let outcome = call.outcome else { return }
    pendingConnections.leave(call.number)
    call.leave(at: now)
    switch outcome {
    case .success: host.ended(call, because: nil)
    case .failure(let error): host.ended(call, because: error)
    }
  }

  private func remove(_ call: Call) {
    pendingConnections.leave(call.number)
    memoryQuota.take(call.number)
    entries[call.number] = nil
    poller.remove(call.number)
    call.close()
  }

  private func want(_ interest: Interest, of call: Call) {
    guard let entry = entries[call.number], entry.interest != interest else { return }
    entries[call.number]?.interest = interest
    // If this fails, the line is broken, and the poller reports that.
    try? poller.change(call.number, to: interest)
  }

  /// Sets a timer for a call, unless an earlier timer is already set.
  private func setAlarm(for call: Call) {
    // The deadline is always in the future, because a call that is always due must not block the other calls.
    let deadline = max(call.deadline, now + 1)
    guard let entry = entries[call.number], deadline < entry.alarm else { return }
    entries[call.number]?.alarm = deadline
    timers.set(call.number, at: deadline)
  }

  /// Handles a timer of a call.
  private func ring(_ number: UInt64) {
    // If the deadline has been moved, another timer has been set for it.
    guard let entry = entries[number], entry.alarm <= now else { return }
    entries[number]?.alarm = .max
    let call = entry.call
    if call.deadline <= now { call.tick(at: now) }
    look(after: call)
  }
}
