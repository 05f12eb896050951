import Journaling
import Platform

extension Book {
  /// How long a writer waits for another one.
  package static let lockPatienceMilliseconds: Int64 = 5_000
  /// When it is told whom it waits for.
  package static let noticeMilliseconds: Int64 = 1_000
  /// So long it is looked each millisecond: most writers are through by then.
  private static let eagerMilliseconds: Int64 = 100
  private static let longestNap: Int64 = 20

  /// Does something that writes, with the folder's lock held and all as other processes left it.
  func withLock<Value>(_ body: () throws(DaybookError) -> Value) throws(DaybookError) -> Value {
    let token = try takeLock()
    defer {
      // Closing a lock file has nothing to lose: the lock ends with the token in any case.
      try? machine.disk.close(token)
      isLocked = false
    }
    isLocked = true
    try reloadFile()
    try reloadJournal()
    try refuseUnwritableJournal()
    try leaveDamagedLog()
    try leaveRolledBackLog()
    try recoverJournal()
    return try body()
  }

  /// Refuses logs that must not be written.
  func refuseUnwritableJournal() throws(DaybookError) {
    guard !journal.isPoisoned else { throw .journal(.poisoned) }
    try wrap(DaybookError.journal) { () throws(JournalError) in try journal.refuseNewer() }
  }

  /// Tidies up what a crash left, with the lock held.
  func recoverJournal() throws(DaybookError) {
    repairs += try wrap(DaybookError.journal) { () throws(JournalError) in
      try journal.recover()
    }
  }

  func takeLock() throws(DaybookError) -> FileToken {
    let start = machine.timekeeper.monotonicMilliseconds()
    let deadline = start + Self.lockPatienceMilliseconds
    var hasTold = false
    var pause: Int64 = 1
    while true {
      let token = try wrap(DaybookError.disk) { () throws(DiskError) in
        try machine.disk.lock(layout.lock)
      }
      if let token { return token }
      guard machine.timekeeper.monotonicMilliseconds() < deadline else {
        throw .busy(holder: holder())
      }
      if !hasTold, machine.timekeeper.monotonicMilliseconds() >= start + Self.noticeMilliseconds {
        hasTold = true
        onWaiting?(holder())
      }
      machine.timekeeper.pause(milliseconds: pause)
      let waited = machine.timekeeper.monotonicMilliseconds() - start
      if waited >= Self.eagerMilliseconds { pause = min(pause * 2, Self.longestNap) }
    }
  }

  /// The process number that the lock file tells.
  func holder() -> String? {
    // Only for the message: who cannot be named is left unnamed.
    guard let bytes = try? machine.disk.contents(of: layout.lock, limit: 64) else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
