import Platform

extension BookFolder {
  /// How long a writer waits for another one.
  package static let lockPatienceMilliseconds: Int64 = 5_000
  /// After how long the caller is told which process it waits for.
  package static let noticeMilliseconds: Int64 = 1_000
  /// How long it rests until it looks again, in microseconds: most writers are through in a moment.
  private static let naps: ClosedRange<Int64> = 100...20_000

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
        progress.onWaiting?(holder())
      }
      // It waits too long by a sixty-fourth at most.
      let nap = max((now - start) * 1_000 / 64, Self.naps.lowerBound)
      machine.timekeeper.pause(microseconds: min(nap, Self.naps.upperBound))
    }
  }

  func release(_ lock: HeldLock, leaving isSettled: Bool) {
    if isSettled {
      // Where that fails, the next one flushes once more what is flushed.
      try? machine.disk.write(lock.token, Self.settledWord, at: 0)
      try? machine.disk.truncate(lock.token, to: Self.settledWord.count)
    }
    // Closing a lock file has nothing to lose: the lock ends with the token in any case.
    try? machine.disk.close(lock.token)
  }

  /// Gives up the lock where no log was written.
  func releaseUnused(_ lock: HeldLock) { release(lock, leaving: Self.wasSettled(lock)) }

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
