import Daybook
import Phrasing
import Platform
import Synchronization

/// The syncs that pages have asked for: what is under way beside the server, and what the last ones came to.
struct SyncDesk {
  private static let kept = 20

  private(set) var notes: [SyncNote] = []
  private(set) var isRunning = false
  /// Why the last sync failed, if it did.
  private(set) var trouble: String?
  let post = Post()

  /// Where a sync that runs beside the server leaves what came of it.
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

  /// Takes in what was left.
  ///
  /// - Returns: Whether there was anything.
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

/// Syncs beside the server, and tells the pages what came of it.
struct PageSync {
  let site: PageSite

  /// Syncs with all peers that are remembered, beside the server, unless that is under way.
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
      // Over the same folder, as another process would.
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
          post.leave(.met(peer: name, words: receipt.pageWords, isGood: true, time: now))
        case .failed(let error):
          post.leave(.met(peer: name, words: error.told.text, isGood: false, time: now))
        }
      }
      return nil
    } catch {
      return error.told.text
    }
  }

  /// Takes in what came of a sync, and tells the pages.
  func attend() {
    guard site.syncs.collect() else { return }
    site.present.revision += 1
    // A book that cannot be read is told of by the next question of a page.
    try? site.tellViews()
  }
}

extension Receipt {
  /// What came and went, in one line.
  fileprivate var pageWords: String {
    func sum(_ shares: [Share]) -> UInt64 { shares.reduce(0) { $0 + $1.events } }
    var parts: [String] = []
    if !received.isEmpty { parts.append("\(sum(received)) came") }
    if !sent.isEmpty { parts.append("\(sum(sent)) went") }
    if parts.isEmpty { parts.append("in step, nothing to do") }
    if !conflicts.isEmpty {
      parts.append(counted(conflicts.count, "conflict", "conflicts"))
    }
    return parts.joined(separator: ", ")
  }
}
