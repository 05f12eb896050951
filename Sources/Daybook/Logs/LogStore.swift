package import Journaling
package import Platform

/// The logs of a book as this process last read them, and who may write to them.
package final class LogStore {
  package let folder: BookFolder
  package internal(set) var journal: Journal
  /// The lock, while a sync is taking something in.
  var syncLock: HeldLock?
  /// Whether the logs are looked at again each time that something is asked, since others may have written.
  ///
  /// Whoever asks for one answer needs no more than one look; writing looks in any case.
  package var noticesOthers = true
  /// Whether this process has the lock, so that nobody else writes.
  var isLocked = false
  /// Whether, while this process has the lock, all that lies in the logs' folders is known to be on the disk.
  var isSettled = false
  /// What `book.json` and the folders of the logs looked like when they were read.
  var diskState: [String]?
  /// What they looked like when all that lay there was last made durable.
  var settledState: [String]?
  /// What had to be mended before something could be written.
  package internal(set) var repairs: [Repair] = []
  /// What the posted events say of who opened the logs; a journal that is read anew is told of them.
  var openings: [Opening] = []

  package var layout: Layout { folder.layout }
  package var machine: Machine { folder.machine }
  /// `book.json` as it was last read.
  package var file: BookFile { folder.file }

  /// Reads the logs of a book, from where they are remembered to end if that is given.
  ///
  /// - Parameters:
  ///   - folder: Where they lie.
  ///   - state: What the folder looked like before `book.json` was read.
  ///   - logEndCache: The ends of the logs when they were last read.
  /// - Throws: ``DaybookError``, when they cannot be read.
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

// MARK: - What others write

extension LogStore {
  /// Looks at the logs again where that may show anything new.
  ///
  /// What this process has read, or has written while nobody else could, it knows. Of logs with branches or holes, more
  /// is found out by reading them.
  func refreshJournal() throws(DaybookError) {
    let isPlain = !journal.isRecalled && journal.forks.isEmpty && journalHoles.isEmpty
    let state = isPlain ? folder.layout.diskState(on: folder.machine.disk) : nil
    if state == nil || state != diskState { try reloadJournal() }
  }

  /// Looks at the logs and at `book.json` as other processes have left them; the logs may be recalled where only the
  /// own one is about to be written.
  func reloadJournal(recalling logEndCache: LogEndCache? = nil) throws(DaybookError) {
    // A disk that failed this process once is not written to again by it.
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
    // That a log was left is written down before others' events are stored there, and so is read after them.
    try folder.reloadFile()
    diskState = state
  }

  /// Opens the journal anew if other processes have written to it.
  func noticeOthers() throws(DaybookError) {
    guard noticesOthers else { return }
    try lookAgain()
  }

  /// Opens the journal anew if other processes have written to it, in a process that does not notice others, too.
  ///
  /// - Parameter always: Whether to open it anew in any case. Two writes within one tick of the file system's clock look
  ///   like one.
  /// - Returns: Whether it was opened anew.
  /// - Throws: ``DaybookError``, when the logs cannot be read.
  @discardableResult
  func lookAgain(always: Bool = false) throws(DaybookError) -> Bool {
    // No other process writes under the lock, and a reload would drop what a sync has staged.
    guard !isLocked, syncLock == nil else { return false }
    let state = folder.layout.diskState(on: folder.machine.disk)
    guard always || state != diskState else { return false }
    try reloadJournal()
    return true
  }

  /// How often other processes may get in first before everything is folded.
  static let attempts = 8
}

// MARK: - Writing

extension LogStore {
  /// Refuses logs that must not be written.
  func refuseUnwritableJournal() throws(DaybookError) {
    guard !journal.isPoisoned else { throw .journal(.poisoned) }
    try wrap(DaybookError.journal) { () throws(JournalError) in try journal.refuseNewer() }
  }

  /// Tidies up what a crash left, with the lock held.
  func recoverJournal() throws(DaybookError) {
    let own = try folder.writtenLog()
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

  /// Gives up the lock after something was written, and says whether all of it is on the disk.
  ///
  /// Who is killed, or loses something to the disk, leaves no such word. After a power cut it may stand there though
  /// it was taken back, and is true: what is there then is what the disk has kept.
  func release(_ lock: HeldLock) {
    folder.release(lock, leaving: isSettled && journal.isSettled)
    isSettled = false
  }

  /// Lets others write again.
  func releaseSyncLock() {
    if let lock = syncLock.take() { release(lock) }
  }

  /// Changes `book.json` as other processes have left it; writes nothing where nothing is changed.
  func changingFile(
    _ change: (inout BookFile) throws(DaybookError) -> Bool
  ) throws(DaybookError) {
    // Who writes, or takes in what a peer sends, has the lock and may have more in hand than lies on the disk.
    guard !isLocked, syncLock == nil else {
      if try change(&folder.file) { try folder.saveFile() }
      return
    }
    let lock = try folder.takeLock()
    defer { folder.releaseUnused(lock) }
    // Another process may have written events since the logs were looked at.
    try reloadJournal()
    if try change(&folder.file) { try folder.saveFile() }
  }
}
