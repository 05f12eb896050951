import Platform

// The handling of single calls.

extension SyncServer {
  /// Receives from a call that is ready, and sends to it.
  func serve(_ call: Call, _ interest: Interest) {
    if interest.contains(.reading) {
      call.receive { () throws(SyncError) in try self.introduce(call) }
    }
    look(after: call)
  }

  /// Begins the conversation with a peer that has shown its key.
  private func introduce(_ call: Call) throws(SyncError) {
    var acceptedPeer = try host.converse(call)
    acceptedPeer.conversation.start()
    (call.conversation, call.isKnown) = (acceptedPeer.conversation, acceptedPeer.isKnown)
    // The peer has proved its key, so it is told why.
    let isFull = calls.count - door.count >= mostSessions
    if isFull, call.destination == nil { call.fail(.unwelcome(.busy)) }
  }

  /// Sends, and handles the new state of the conversation.
  func look(after call: Call) {
    if isTooHeavy(call), call.outcome == nil { call.fail(.unwelcome(.busy)) }
    if call.outcome == nil { call.send(at: now) }
    if !call.isLeaving {
      noteAtDoor(call)
      // The same bytes can report that the peer has all events, and close the line.
      if [.settled, .finished].contains(call.conversation?.state) { host.settled(call) }
    }
    if call.outcome != nil, !call.isLeaving { conclude(call) }
    if call.isLeaving { call.send(at: now) }
    if call.isOver(at: now) { return remove(call) }
    want(call.wanted, of: call)
    setAlarm(for: call)
  }

  /// Whether the device of a call holds more memory than its quota, over all its calls.
  private func isTooHeavy(_ call: Call) -> Bool {
    let owner = call.isKnown ? call.peerKey : nil
    return memoryQuota.weigh(call.number, of: owner, bytes: call.conversation?.heldBytes ?? 0)
  }

  private func noteAtDoor(_ call: Call) {
    guard call.destination == nil else { return }
    if call.hasBeenAnswered { door.noteSpoken(call.number) }
    if call.conversation?.state == .settled { call.isKnown = true }
    if call.isKnown { door.leave(call.number) }
  }

  /// Tells the host that a call has ended, and sends its closing messages.
  func conclude(_ call: Call) {
    guard let outcome = call.outcome else { return }
    door.leave(call.number)
    call.leave(at: now)
    switch outcome {
    case .success: host.ended(call, because: nil)
    case .failure(let error): host.ended(call, because: error)
    }
  }

  func remove(_ call: Call) {
    door.leave(call.number)
    memoryQuota.take(call.number)
    calls[call.number] = nil
    poller.remove(call.number)
    call.close()
  }

  func want(_ interest: Interest, of call: Call) {
    guard interest != call.interest else { return }
    call.interest = interest
    // If this fails, the line is broken, and the poller reports that.
    try? poller.change(call.number, to: interest)
  }

  /// Sets a timer for a call, unless an earlier one is set.
  private func setAlarm(for call: Call) {
    // Never at once: a call that stays due for any reason must not starve the others.
    let deadline = max(call.deadline, now + 1)
    guard deadline < call.alarm else { return }
    call.alarm = deadline
    timers.set(call.number, at: deadline)
  }

  /// Handles a timer.
  func ring(_ token: UInt64) {
    if token == Token.listener { return openDoor() }
    guard let call = calls[token] else { return }
    let alarm = call.alarm
    // The deadline was moved, and a later timer is set.
    guard alarm <= now else { return }
    call.alarm = .max
    if call.deadline <= now { call.tick(at: now) }
    look(after: call)
  }
}
