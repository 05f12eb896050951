import Bytes
import Crypto
import Journaling
import Syncing

/// A holder in memory.
///
/// Its frames have the label of a real frame and, instead of a signature, the chain hash at their end.
final class MemoryHolder: Holder {
  var book: UniqueID?
  var formerBooks: [UniqueID] = []
  let replica: UniqueID
  private(set) var logs: [UniqueID: Tree] = [:]
  private var staged: [UniqueID: Tree] = [:]
  var eventsPerFrame = 3
  private(set) var commits = 0
  /// The number of received frames.
  private(set) var arrivals = 0
  /// The number of sent frames.
  private(set) var departures = 0
  /// The error that the next commit throws.
  var failure: JournalError?
  /// The error that is thrown when its frames are read.
  var trouble: JournalError?
  /// The verdict on frames that contain one of these strings; the worst verdict counts.
  var verdicts: [String: Verdict] = [:]
  /// Whether erased bodies are stripped from outgoing frames; such frames are marked.
  var isStripping = false
  /// Identifies the known erasures; nil if the effects of erasures must not be remembered.
  var erasures: UniqueID?

  init(_ replica: UniqueID, book: UniqueID? = .book) { (self.replica, self.book) = (replica, book) }

  var hello: Hello {
    Hello(book: book, formerBooks: formerBooks, replica: replica, frontier: frontier)
  }

  var frontier: Frontier { Frontier(logs.flatMap { $1.places(of: $0) }) }

  /// Writes events after the farthest event or the given event, as the device that owns the log.
  @discardableResult
  func write(_ events: [String], to log: UniqueID, behind hash: Digest? = nil) -> MemoryHolder {
    var tree = logs[log] ?? Tree(log)
    var last = hash ?? tree.tips.last ?? tree.root
    for event in events { last = tree.add(Array(event.utf8), behind: last) }
    if !events.isEmpty { logs[log] = tree }
    return self
  }

  /// Loses the bodies of a log's events, on every branch.
  func lose(_ sequences: ClosedRange<UInt64>, of log: UniqueID) {
    logs[log]?.lose(sequences)
  }

  /// The text of each event up to the farthest event.
  func texts(of log: UniqueID) -> [String] {
    guard let tree = logs[log], let tip = tree.tips.last else { return [] }
    return tree.path(to: tip).compactMap { tree.events[$0]?.text }
  }

  /// The hash of the event with the given text.
  func hash(of text: String, in log: UniqueID) -> Digest? {
    logs[log]?.events.first { $0.value.text == text }?.key
  }

  /// The place of the event with the given text.
  func place(of text: String, in log: UniqueID) -> [Place] {
    guard let hash = hash(of: text, in: log), let event = logs[log]?.events[hash] else { return [] }
    return [Place(log: log, sequence: event.sequence, hash: hash)]
  }

  func landmarks(for other: Frontier) throws(SyncError) -> [Place] {
    other.places.flatMap { logs[$0.log]?.landmarks(for: $0) ?? [] }
  }

  func ends(of replica: UniqueID) -> [Place] {
    guard let tree = logs[replica] else { return [] }
    return tree.tips.map { Place(log: replica, sequence: tree.sequence(of: $0) ?? 0, hash: $0) }
  }

  func frames(of replica: UniqueID, lackedBy places: [Place]) throws(SyncError) -> FrameStream {
    guard let tree = logs[replica] else { throw .journal(.unknownLog(replica)) }
    var frames: [[UInt8]] = []
    for run in tree.runs(lackedBy: places) {
      for start in stride(from: 0, to: run.count, by: eventsPerFrame) {
        let end = min(start + eventsPerFrame, run.count)
        var frame = ToyFrame(of: tree, run[start..<end]).bytes
        if isStripping { frame[41] = 1 }
        frames.append(frame)
      }
    }
    var waiting = frames[...]
    return FrameStream { () throws(SyncError) in
      if let trouble = self.trouble { throw .journal(trouble) }
      guard let frame = waiting.popFirst() else { return nil }
      self.departures += 1
      return frame
    }
  }

  func stage(_ frame: [UInt8], of log: UniqueID) throws(JournalError) {
    arrivals += 1
    do throws(JournalError) {
      try join(frame, of: log)
    } catch {
      // After a forged frame, no staged event counts.
      if !error.isConfined { staged = [:] }
      throw error
    }
  }

  private func join(_ frame: [UInt8], of log: UniqueID) throws(JournalError) {
    var tree = staged.removeValue(forKey: log) ?? logs[log] ?? Tree(log)
    guard let toy = ToyFrame(frame) else { throw .refused(log, .envelope) }
    if toy.first == 1, toy.before != tree.root { throw .wrongOpening(log) }
    guard tree.sequence(of: toy.before) == toy.first - 1 else {
      throw .gap(log, held: frontier.sequence(of: log), received: toy.first)
    }
    var last = toy.before
    for event in toy.events { last = tree.add(event, behind: last) }
    guard last == toy.end else {
      throw .wrongHead(log, sequence: toy.first + UInt64(toy.events.count) - 1)
    }
    staged[log] = tree
  }

  func commit() throws(JournalError) -> Frontier {
    defer { staged = [:] }
    if let failure {
      self.failure = nil
      throw failure
    }
    commits += 1
    logs.merge(staged) { $1 }
    return frontier
  }

  func hasErased(from replica: UniqueID) -> Bool { !verdicts.isEmpty }

  func verdict(on frame: [UInt8], of replica: UniqueID) -> Verdict {
    guard frame[41] == 0 else { return .clean }
    let texts = ToyFrame(frame)?.events.map { String(decoding: $0, as: UTF8.self) } ?? []
    return texts.compactMap { verdicts[$0] }.max() ?? .clean
  }

  func erasureState(of replica: UniqueID) -> UniqueID? { erasures }

  func contentCount(of frame: [UInt8]) -> Int { frame.count }

  func span(of frame: [UInt8]) -> FrameSpan? {
    guard let toy = ToyFrame(frame) else { return nil }
    var hashes: [Digest] = []
    for event in toy.events { hashes.append(Tree.next(hashes.last ?? toy.before, event)) }
    return FrameSpan(from: toy.first, before: toy.before, behind: hashes)
  }
}

extension UniqueID {
  /// An id of one byte followed by zeros.
  static func id(_ byte: UInt8) -> UniqueID { UniqueID([byte] + [UInt8](repeating: 0, count: 15)) }

  static let book = id(0xb0)
  static let anna = id(1)
  static let bert = id(2)
  static let cleo = id(3)
}
