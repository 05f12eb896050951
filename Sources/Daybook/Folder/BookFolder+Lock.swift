import Platform

extension BookFolder {
  /// The maximum time that a writer waits for another writer.
  package static let lockPatienceMilliseconds: Int64 = 5_000
  /// The delay after which a waiting caller learns which process holds the lock.
  package static let noticeMilliseconds: Int64 = 1_000
  /// The pauses between attempts, in microseconds.
  ///
  /// Most writers hold the lock only for a moment.
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
      // The pause is one sixty-fourth of the time waited so far, within the bounds.
      let nap = max((now - start) * 1_000 / 64, Self.naps.lowerBound)
      machine.timekeeper.pause(microseconds: min(nap, Self.naps.upperBound))
    }
  }

  func release(_ lock: HeldLock, leaving isSettled: Bool) {
    if isSettled {
      // If this write fails, the next writer only repeats the flush.
      try? machine.disk.write(lock.token, Self.settledWord, at: 0)
      try? machine.disk.truncate(lock.token, to: Self.settledWord.count)
    }
    // An error here loses nothing, because the lock is released with the token regardless.
    try? machine.disk.close(lock.token)
  }

  /// Releases a lock under which no log was written.
  func releaseUnused(_ lock: HeldLock) { release(lock, leaving: Self.wasSettled(lock)) }

  private static let settledWord = Array("settled\n".utf8)

  /// Whether all files of the logs were durable when the lock was last released.
  static func wasSettled(_ lock: HeldLock) -> Bool {
    lock.found == settledWord
  }

  /// The process id in the lock file.
  func holder() -> String? {
    // The id is used only in messages. If it cannot be read, the error does not identify the process.
    guard let bytes = try? machine.disk.contents(of: layout.lock, limit: 64) else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
    return Int(text) == nil ? nil : text
  }
}
