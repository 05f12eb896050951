import Bytes
import Journaling
import Platform

extension Book {
  /// How long a writer waits for another one.
  package static let lockPatienceMilliseconds: Int64 = 5_000
  /// When it is told whom it waits for.
  package static let noticeMilliseconds: Int64 = 1_000
  /// How long it rests until it looks again, in microseconds: most writers are through in a moment.
  private static let naps: ClosedRange<Int64> = 100...20_000

  /// Does something that writes, with the folder's lock held and all as other processes left it.
  ///
  /// Where it writes to the own log only, the ends of others' need not be read, nor of that one more than the last frame.
  func withLock<Value>(
    writingOwnLogOnly isOwnOnly: Bool = false, _ body: () throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    let lock = try takeLock()
    var isDone = false
    defer {
      isSettled = isSettled && isDone
      release(lock)
      isLocked = false
    }
    (isLocked, isSettled) = (true, Self.wasSettled(lock))
    try reloadFile()
    // What may not be on the disk is to be written once more, and so to be read.
    try reloadJournal(recalling: isOwnOnly && isSettled)
    try refuseUnwritableJournal()
    try leaveDamagedLog()
    try leaveRolledBackLog()
    try recoverJournal()
    // A log of others that the disk does not read any more keeps nobody from writing.
    try? settleJournal()
    let value = try body()
    isDone = true
    return value
  }

  /// Refuses logs that must not be written.
  func refuseUnwritableJournal() throws(DaybookError) {
    guard !journal.isPoisoned else { throw .journal(.poisoned) }
    try wrap(DaybookError.journal) { () throws(JournalError) in try journal.refuseNewer() }
  }

  /// Tidies up what a crash left, with the lock held.
  func recoverJournal() throws(DaybookError) {
    let own = file.writers[try mark()]
    repairs += try wrap(DaybookError.journal) { () throws(JournalError) in
      try journal.recover(for: own)
    }
  }

  /// Makes durable what a process may have left that did not end as it should, with the lock held.
  ///
  /// What is there may have been written and not flushed, and nothing is sent, or built upon, that could be lost yet.
  func settleJournal() throws(JournalError) {
    if !isSettled {
      try journal.settle()
      isSettled = journal.isSettled
    }
    settledState = diskState
  }

  func takeLock() throws(DaybookError) -> HeldLock {
    let start = machine.timekeeper.monotonicMilliseconds()
    let deadline = start + Self.lockPatienceMilliseconds
    var hasTold = false
    while true {
      let lock = try wrap(DaybookError.disk) { () throws(DiskError) in
        try machine.disk.lock(layout.lock)
      }
      if let lock { return lock }
      let now = machine.timekeeper.monotonicMilliseconds()
      guard now < deadline else { throw .busy(holder: holder()) }
      if !hasTold, now >= start + Self.noticeMilliseconds {
        hasTold = true
        onWaiting?(holder())
      }
      // It waits too long by a sixty-fourth at most.
      let nap = max((now - start) * 1_000 / 64, Self.naps.lowerBound)
      machine.timekeeper.pause(microseconds: min(nap, Self.naps.upperBound))
    }
  }

  /// Gives up the lock after something was written, and says whether all of it is on the disk.
  ///
  /// Who is killed, or loses something to the disk, leaves no such word. After a power cut it may stand there though
  /// it was taken back, and is true: what is there then is what the disk has kept.
  func release(_ lock: HeldLock) {
    release(lock, leaving: isSettled && journal.isSettled)
    isSettled = false
  }

  /// Gives up the lock where no log was written.
  func releaseUnused(_ lock: HeldLock) { release(lock, leaving: Self.wasSettled(lock)) }

  private func release(_ lock: HeldLock, leaving isSettled: Bool) {
    if isSettled {
      // Where that fails, the next one flushes once more what is flushed.
      try? machine.disk.write(lock.token, Self.settledWord, at: 0)
      try? machine.disk.truncate(lock.token, to: Self.settledWord.count)
    }
    // Closing a lock file has nothing to lose: the lock ends with the token in any case.
    try? machine.disk.close(lock.token)
  }

  private static let settledWord = Array("settled\n".utf8)

  /// Whether all that lies in the logs' folders was on the disk when the lock was given up the last time.
  static func wasSettled(_ lock: HeldLock) -> Bool {
    lock.found == settledWord
  }

  /// The process number that the lock file tells.
  func holder() -> String? {
    // Only for the message: who cannot be named is left unnamed.
    guard let bytes = try? machine.disk.contents(of: layout.lock, limit: 64) else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
    return Int(text) == nil ? nil : text
  }
}
