import Platform

extension BookFolder {
  func takeLock() throws(DaybookError) -> HeldLock {
    let lock = try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.awaitLock(layout.lock) { progress.onWaiting?(holder()) }
    }
    guard let lock else { throw .busy(holder: holder()) }
    return lock
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
  func holder() -> String? { machine.holder(of: layout.lock) }
}
