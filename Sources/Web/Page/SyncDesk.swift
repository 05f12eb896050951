import Daybook
import Phrasing
import Platform
import Synchronization

/// The state of the sync that a page has requested, and the results of the latest syncs.
struct SyncDesk {
  private static let kept = 20

  private(set) var notes: [SyncNote] = []
  private(set) var isRunning = false
  /// The reason why the last sync failed; nil if it succeeded.
  private(set) var trouble: String?
  let post = Post()

  /// Receives the results of a sync on another thread.
  final class Post: Sendable {
    enum Letter: Sendable {
      case met(peer: String, words: String, isGood: Bool, time: Int64)
      case ended(trouble: String?)
    }

    private let letters = Mutex<[Letter]>([])

    func leave(_ letter: Letter) { letters.withLock { $0.append(letter) } }

    func takeAll() -> [Letter] {
      letters.withLock { letters in
        defer { letters = [] }
        return letters
      }
    }
  }

  mutating func begin() { (isRunning, trouble) = (true, nil) }

  /// Takes the results that have been received.
  ///
  /// - Returns: Whether any results had been received.
  mutating func collect() -> Bool {
    let letters = post.takeAll()
    for letter in letters {
      switch letter {
      case .met(let peer, let words, let isGood, let time):
        let number = (notes.last?.number ?? 0) + 1
        notes.append(
          SyncNote(number: number, time: time, peer: peer, words: words, isGood: isGood))
        if notes.count > Self.kept { notes.removeFirst() }
        if !isGood { trouble = "\(peer): \(words)" }
      case .ended(let fault):
        isRunning = false
        if let fault { trouble = fault }
      }
    }
    return !letters.isEmpty
  }
}

/// Syncs on another thread, and sends the results to the pages.
struct PageSync {
  let site: PageSite

  /// Syncs with all remembered peers that have an address, unless a sync is running.
  func begin() throws {
    guard !site.syncs.isRunning else { return }
    let contacts = try site.book.contactBook.contacts().filter { $0.address != nil }
    site.syncs.begin()
    site.tellAll([StreamEvent("status", try site.status().json)])
    let (timekeeper, post, wake) = (
      site.book.machine.timekeeper, site.syncs.post, site.server?.waker
    )
    let opening = BookOpening(of: site.book)
    let work: @Sendable () -> Void = {
      // The sync opens the book's folder separately, as another process would.
      post.leave(.ended(trouble: Self.sync(opening, with: contacts, post, timekeeper)))
      wake?()
    }
    guard let beside = site.book.machine.beside else { return work() }
    beside(work)
  }

  private static func sync(
    _ opening: BookOpening, with contacts: [Contact], _ post: SyncDesk.Post,
    _ timekeeper: any Timekeeper
  ) -> String? {
    do throws(DaybookError) {
      try ParallelSync(of: opening.open()).run(with: contacts, admitting: false) { meeting in
        let now = timekeeper.now().milliseconds
        let name = meeting.contact.name.visible
        switch meeting.visit {
        case .done(let receipt):
          let isGood = receipt.problems.isEmpty
          post.leave(.met(peer: name, words: receipt.pageWords, isGood: isGood, time: now))
        case .failed(let error):
          let words = [error.told.text, meeting.stripped.problem?.text].compactMap(\.self)
          post.leave(
            .met(peer: name, words: words.joined(separator: " "), isGood: false, time: now))
        }
      }
      return nil
    } catch {
      return error.told.text
    }
  }

  /// Receives the results of a sync, and updates the pages.
  func attend() {
    guard site.syncs.collect() else { return }
    site.present.revision += 1
    // If the book cannot be read, the next request from a page reports it.
    try? site.tellViews()
  }
}

extension Receipt {
  /// The numbers of received events, sent events and conflicts, and the problems, in one line.
  fileprivate var pageWords: String {
    func sum(_ shares: [Share]) -> UInt64 { shares.reduce(0) { $0 + $1.events } }
    var parts: [String] = []
    if !received.isEmpty { parts.append("\(sum(received)) received") }
    if !sent.isEmpty { parts.append("\(sum(sent)) sent") }
    if parts.isEmpty { parts.append("nothing new") }
    if !conflicts.isEmpty {
      parts.append(counted(conflicts.count, "conflict", "conflicts"))
    }
    parts += problems.map(\.text)
    return parts.joined(separator: ", ")
  }
}
