import Platform

// What is done about one call.

extension SyncServer {
  /// Takes from a call that is ready what it has to say, and says what there is to be said.
  func serve(_ call: Call, _ interest: Interest) {
    if interest.contains(.reading) {
      call.receive { () throws(SyncError) in try self.introduce(call) }
    }
    look(after: call)
  }

  /// Begins the conversation with one who has shown its key.
  private func introduce(_ call: Call) throws(SyncError) {
    var acceptedPeer = try host.converse(call)
    acceptedPeer.conversation.start()
    (call.conversation, call.isKnown) = (acceptedPeer.conversation, acceptedPeer.isKnown)
    // In words, since it has shown who it is.
    let isFull = calls.count - door.count >= mostSessions
    if isFull, call.destination == nil { call.fail(.unwelcome(.busy)) }
  }

  /// Sends, and draws the consequences of what was said.
  func look(after call: Call) {
    if isTooHeavy(call), call.outcome == nil { call.fail(.unwelcome(.busy)) }
    if call.outcome == nil { call.send(at: now) }
    if !call.isLeaving {
      noteAtDoor(call)
      // The other may have gone with the same bytes with which it said that it has all.
      if [.settled, .finished].contains(call.conversation?.state) { host.settled(call) }
    }
    if call.outcome != nil, !call.isLeaving { conclude(call) }
    if call.isLeaving { call.send(at: now) }
    if call.isOver(at: now) { return remove(call) }
    want(call.wanted, of: call)
    setAlarm(for: call)
  }

  /// Whether more waits for a call than its device may have wait, over all its calls.
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

  /// Tells the host that a call has ended, and lets it say its last words.
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
    // Where that fails, the line is broken, which the poller tells anyway.
    try? poller.change(call.number, to: interest)
  }

  /// Sets an alarm for a call, unless there is one that is not later.
  private func setAlarm(for call: Call) {
    // Never at once: what stays due, whyever, must not keep all others from their turns.
    let deadline = max(call.deadline, now + 1)
    guard deadline < call.alarm else { return }
    call.alarm = deadline
    timers.set(call.number, at: deadline)
  }

  /// Does what is due.
  func ring(_ token: UInt64) {
    if token == Token.listener { return openDoor() }
    guard let call = calls[token] else { return }
    let alarm = call.alarm
    // An alarm of a time that was meanwhile put off, behind which a later one is set.
    guard alarm <= now else { return }
    call.alarm = .max
    if call.deadline <= now { call.tick(at: now) }
    look(after: call)
  }
}
