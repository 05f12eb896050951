import Platform

extension Machine {
  /// The maximum time that a process waits for a lock.
  private static var patienceMilliseconds: Int64 { 5_000 }
  /// The delay after which a waiting caller is notified.
  private static var noticeMilliseconds: Int64 { 1_000 }
  /// The pauses between attempts, in microseconds.
  ///
  /// Most processes hold a lock only for a moment.
  private static var naps: ClosedRange<Int64> { 100...20_000 }

  /// Takes the lock of a file, and waits for another process that holds it.
  ///
  /// - Parameters:
  ///   - path: The file to lock.
  ///   - onWaiting: Called once if the wait takes longer than a second.
  /// - Returns: The lock; nil if the other process still holds it after five seconds.
  /// - Throws: ``DiskError`` if the file cannot be locked.
  func awaitLock(
    _ path: Path, onWaiting: () -> Void = {}
  ) throws(DiskError) -> HeldLock? {
    let start = timekeeper.monotonicMilliseconds()
    var isNoticed = false
    while true {
      if let lock = try disk.lock(path) { return lock }
      let waited = timekeeper.monotonicMilliseconds() - start
      guard waited < Self.patienceMilliseconds else { return nil }
      if !isNoticed, waited >= Self.noticeMilliseconds {
        isNoticed = true
        onWaiting()
      }
      // The pause is one sixty-fourth of the time waited so far, within the bounds.
      let nap = max(waited * 1_000 / 64, Self.naps.lowerBound)
      timekeeper.pause(microseconds: min(nap, Self.naps.upperBound))
    }
  }

  /// The process id in a lock file.
  func holder(of lock: Path) -> String? {
    // The id is used only in messages. If it cannot be read, the message does not identify the process.
    guard let bytes = try? disk.contents(of: lock, limit: 64) else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
    return Int(text) == nil ? nil : text
  }
}
