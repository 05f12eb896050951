package import Journaling
package import Platform

/// The logs of a book as this process last read them, and the state that writing them requires.
package final class LogStore {
  package let folder: BookFolder
  package internal(set) var journal: Journal
  /// The lock that is held while a sync stores events.
  var syncLock: HeldLock?
  /// Whether each query first checks for writes by other processes.
  ///
  /// A caller with a single query needs only one check. A write always checks first.
  package var noticesOthers = true
  /// Whether this process holds the lock; if so, no other process writes.
  var isLocked = false
  /// Whether this process holds the lock only to change a file other than a log.
  private var isFolderLocked = false
  /// Whether, while this process holds the lock, all files of the logs are known to be durable.
  var isSettled = false
  /// The state of `book.json` and the folders of the logs when they were read.
  var diskState: [String]?
  /// The state when everything was last made durable.
  var settledState: [String]?
  /// The repairs that were necessary before writing, and those that the user requested.
  package internal(set) var repairs: [Repair] = []
  /// The openings of the logs, as found in the posted events.
  ///
  /// The openings are passed to the journal when it is opened again.
  var openings: [Opening] = []

  package var layout: Layout { folder.layout }
  package var machine: Machine { folder.machine }
  /// The contents of `book.json` as last read.
  package var file: BookFile { folder.file }

  /// Reads the logs of a book, or takes their ends from a cache.
  ///
  /// - Parameters:
  ///   - folder: The folder of the book.
  ///   - state: The state of the folder before `book.json` was read.
  ///   - logEndCache: The ends of the logs when they were last read.
  /// - Throws: ``DaybookError`` if the logs cannot be read.
  init(
    in folder: BookFolder, asOf state: [String]?, recalling logEndCache: LogEndCache?
  ) throws(DaybookError) {
    self.folder = folder
    diskState = state
    journal = try wrap(DaybookError.journal) { () throws(JournalError) in
      try Journal(at: folder.layout.folder, on: folder.machine, recalling: logEndCache)
    }
  }
}

// MARK: - Changes by other processes

extension LogStore {
  /// Reads the logs again if they may have changed.
  ///
  /// If the folders have not changed, this process has already read their content. Logs with branches or holes are
  /// always read again, because that can reveal more events.
  func refreshJournal() throws(DaybookError) {
    let isPlain = !journal.isRecalled && journal.forks.isEmpty && journalHoles.isEmpty
    let state = isPlain ? folder.layout.diskState(on: folder.machine.disk) : nil
    if state == nil || state != diskState { try reloadJournal() }
  }

  /// Reads the logs and `book.json` again.
  ///
  /// Ends can be taken from a cache if only this device's own log will be written.
  func reloadJournal(recalling logEndCache: LogEndCache? = nil) throws(DaybookError) {
    // After a disk error, this process never writes to the disk again.
    let isPoisoned = journal.isPoisoned
    let state = folder.layout.diskState(on: folder.machine.disk)
    let (erasures, standing) = (journal.erasures, journal.standing)
    let (known, tails, bodiless) = (journal.known, journal.tails, journal.bodiless)
    journal = try wrap(DaybookError.journal) {
      [layout = folder.layout, machine = folder.machine] () throws(JournalError) in
      try Journal(
        at: layout.folder, on: machine, isPoisoned: isPoisoned, recalling: logEndCache,
        knowing: known, tails)
    }
    (journal.erasures, journal.standing) = (erasures, standing)
    if isSettled { journal.noteSettled() }
    journal.note(bodiless: bodiless)
    journal.note(openings: openings)
    // A log that was abandoned is recorded in `book.json` before events from other devices are stored in that log.
    // Therefore, `book.json` is read after the logs.
    try folder.reloadFile()
    diskState = state
  }

  /// Opens the journal again if other processes have written to it.
  func noticeOthers() throws(DaybookError) {
    guard noticesOthers else { return }
    try lookAgain()
  }

  /// Opens the journal again if other processes have written to it, even if ``noticesOthers`` is false.
  ///
  /// - Parameter always: Whether to open the journal even if nothing seems to have changed, because two writes within
  ///   one tick of the file system's clock look like one.
  /// - Returns: Whether the journal was opened again.
  /// - Throws: ``DaybookError`` if the logs cannot be read.
  @discardableResult
  func lookAgain(always: Bool = false) throws(DaybookError) -> Bool {
    // No other process writes while this process holds the lock, and opening the journal again would discard the frames
    // that a sync has staged.
    guard !isLocked, syncLock == nil else { return false }
    let state = folder.layout.diskState(on: folder.machine.disk)
    guard always || state != diskState else { return false }
    try reloadJournal()
    return true
  }

  /// The maximum number of attempts when other processes keep writing.
  static let attempts = 8
}

// MARK: - Writing

extension LogStore {
  /// Throws if the logs must not be written.
  func refuseUnwritableJournal() throws(DaybookError) {
    guard !journal.isPoisoned else { throw .journal(.poisoned) }
    try wrap(DaybookError.journal) { () throws(JournalError) in try journal.refuseNewer() }
  }

  /// Repairs the logs after a crash.
  ///
  /// The caller must hold the lock.
  func recoverJournal() throws(DaybookError) {
    let own = try folder.writtenLog()
    repairs += try wrap(DaybookError.journal) { () throws(JournalError) in
      try journal.recover(for: own)
    }
  }

  /// Makes durable everything that an interrupted process may have left behind.
  ///
  /// The caller must hold the lock.
  ///
  /// Such data may have been written but not flushed. Data that could still be lost must not be sent or built upon.
  func settleJournal() throws(JournalError) {
    if !isSettled {
      try journal.settle()
      isSettled = journal.isSettled
    }
    settledState = diskState
  }

  /// Releases the lock after a write, and records whether everything is durable.
  ///
  /// A process that is killed or has a disk error records nothing. After a power failure, an old record may reappear,
  /// but that record is then correct, because the remaining data is what the disk has stored.
  func release(_ lock: HeldLock) {
    folder.release(lock, leaving: isSettled && journal.isSettled)
    isSettled = false
  }

  /// Releases the lock of a sync, so that other processes can write again.
  func releaseSyncLock() {
    if let lock = syncLock.take() { release(lock) }
  }

  /// Changes `book.json`, after reading the changes of other processes.
  ///
  /// Writes nothing if nothing changes.
  func changingFile(
    _ change: (inout BookFile) throws(DaybookError) -> Bool
  ) throws(DaybookError) {
    try withFolderLock { isNew throws(DaybookError) in
      // Another process may have written events since the logs were read. If this process already held the lock, it may
      // have changes that are not on the disk yet.
      if isNew { try reloadJournal() }
      if try change(&folder.file) { try folder.saveFile() }
    }
  }

  /// Runs a function that changes a file of the folder other than a log, while no other process writes.
  ///
  /// The function can read the book. What it reads can reveal a loss, which is recorded in `book.json` under the same
  /// lock.
  ///
  /// - Parameter body: The function. Its argument states whether the lock was taken for this call; false if a writer,
  ///   or a sync that stores events, already holds the lock.
  /// - Returns: The result of the function.
  /// - Throws: ``DaybookError/busy(holder:)`` if another process holds the lock, or an error of the function.
  func withFolderLock<Value>(
    _ body: (_ isNew: Bool) throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    guard !isLocked, syncLock == nil, !isFolderLocked else { return try body(false) }
    let lock = try folder.takeLock()
    isFolderLocked = true
    defer {
      isFolderLocked = false
      folder.releaseUnused(lock)
    }
    return try body(true)
  }
}
