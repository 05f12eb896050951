import Bytes
import Crypto
import Platform

/// Checks one strand of a log, frame by frame, against `protocol.md`.
///
/// Replaced files are read first, so their hashes are known when the other files are read. The check does not use
/// the journal's code, so it can detect errors in the journal's reader and writer of frames.
struct LogCheck: ~Copyable {
  /// The result of checking the strand.
  struct Result {
    var contents: StrandContents
    var faults: [Fault]
    /// The strand's state at the events after which strands may fork.
    var forkPoints: [UInt64: ForkPoint]
    /// The log's key, if it is known.
    var key: PublicKey?
  }

  /// The replica that writes the log and signs its heads.
  private let id: UniqueID
  /// Called after each frame with its number of events.
  private let checked: (UInt64) -> Void
  private var contents: StrandContents
  private var faults = FaultCollector()
  private var hasher = SHA256()
  /// The state after the last frame; nil if the next frame may begin with any event.
  private var chain: ChainState?
  private var heads: HeadCheck
  private var salts = SaltComparison()
  private var forks: ForkPointRecorder
  private var replaced = ReplacedHashes()
  /// Whether another file has replaced the current file, which is then read only for comparison.
  private var isReplaced = true
  /// Whether the current frame is out of place in its file.
  private var isMisplaced = false

  /// Prepares to check a strand.
  ///
  /// - Parameters:
  ///   - strand: The id of the log or of the branch.
  ///   - replica: The replica that writes the log.
  ///   - isAside: Whether the log is in the folder `aside`.
  ///   - points: The events after which strands of the replica fork.
  ///   - key: The log's key, if it is known from another strand.
  ///   - checked: Called after each frame with its number of events.
  init(
    _ strand: UniqueID, of replica: UniqueID, isAside: Bool, forkingAt points: Set<UInt64>,
    key: PublicKey?, checked: @escaping (UInt64) -> Void
  ) {
    id = replica
    self.checked = checked
    contents = StrandContents(of: VerifiedLog(id: strand, replica: replica, isAside: isAside))
    forks = ForkPointRecorder(at: points)
    heads = HeadCheck(with: key)
    chain = nil
  }

  // MARK: Files

  /// Whether the events of the current frame belong to the log.
  private var counts: Bool { !isReplaced && !isMisplaced }

  /// Begins a file of the strand.
  ///
  /// The first frame of a replaced file may begin with any event.
  mutating func begin(_ file: String) {
    faults.begin(file)
    guard isReplaced else { return }
    chain = nil
    salts.forget()
  }

  /// Begins the files that have not been replaced, which follow the given event; 0 means the start of the log.
  mutating func start(behind sequence: UInt64) {
    isReplaced = false
    salts.forget()
    let zero = hasher.digest((Array("daybook log v1".utf8) + id.bytes).span)
    let start = ChainState(
      sequence: sequence, time: 0, when: 0, hash: zero, tableCount: 0, table: [],
      isAdrift: sequence > 0)
    forks.record(start, endsCommand: true)
    chain = start
    replaced.beginComparing()
  }

  /// Reports a fault in the current file.
  mutating func report(_ what: Fault.Kind) { faults.report(what) }

  /// Checks every byte of the current file.
  mutating func check(_ file: [UInt8], of listed: ListedFile, beside: Machine.Beside?) {
    var scanner = SegmentScanner(file, of: listed, replica: id, beside: beside)
    contents.log.files += 1
    contents.log.bytes += file.count
    let isTail = listed.last == nil
    var order = StoredFrameOrder(listed, of: id)
    var (hasFrame, ahead) = (false, StoredFrame?.none)
    while let frame = ahead.take() ?? scanner.next(&faults) {
      if !isReplaced, order.leavesGap(before: frame) { ahead = scanner.next(&faults) }
      check(
        frame, before: ahead, &order, mustHaveTable: !hasFrame || !isTail, mustHaveHead: !isTail)
      hasFrame = true
    }
    faults.offset = 0
    // New files always contain a frame, so a file that is empty or contains only zeros has lost its content.
    if !hasFrame, scanner.isBlank { faults.report(.damage(count: file.count)) }
  }

  /// Ends a file that has not been replaced.
  ///
  /// The events in the file's name that are missing after its last frame are reported.
  mutating func finish(_ listed: ListedFile) {
    guard let last = listed.last, let sequence = chain?.sequence, sequence < last else { return }
    report(missing: sequence + 1...last)
    chain?.sequence = last
    chain?.isAdrift = true
  }

  /// Ends the log.
  ///
  /// Events of replaced files beyond the end of the log are reported, and the waiting heads are verified if the key is
  /// known.
  consuming func finish() -> Result {
    replaced.finish(at: contents.log.last, &faults)
    heads.finish(&faults)
    contents.log.heads = heads.verified
    return Result(
      contents: contents, faults: faults.faults, forkPoints: forks.recorded, key: heads.key)
  }

  // MARK: Frames

  /// Checks the whole content of a frame, unless it is out of place.
  ///
  /// `next` is the next frame of the file if events are missing before this frame.
  private mutating func check(
    _ frame: borrowing StoredFrame, before next: StoredFrame?, _ order: inout StoredFrameOrder,
    mustHaveTable: Bool, mustHaveHead: Bool
  ) {
    faults.offset = frame.offset
    contents.log.frames += 1
    do throws(CBORError) {
      let content = frame.content.span
      var reader = CBORReader(content)
      let claims = try FrameClaims(&reader, bytes: content, events: frame.first...frame.last)
      if !isReplaced, let fault = try order.fault(of: frame, claims, before: next) {
        faults.report(fault)
        try checkMisplaced(&reader, of: frame, claims, &order, mustHaveHead: mustHaveHead)
        return
      }
      let before = chain
      let isRepeated = compareRange(of: frame)
      // If a frame contains only repeated events, it does not move the end of the log.
      defer { if isRepeated, let before { chain = before } else { noteEnd() } }
      try checkContent(
        &reader, of: frame, claims, after: isReplaced ? 0 : before?.sequence ?? 0,
        mustHaveTable: mustHaveTable, mustHaveHead: mustHaveHead)
      if let chain { order.follow(frame, endingIn: chain.hash) }
    } catch {
      faults.report(.encoding(error))
    }
  }

  /// Checks a frame that is out of place, without changing the log's state.
  private mutating func checkMisplaced(
    _ reader: inout CBORReader, of frame: borrowing StoredFrame, _ claims: FrameClaims,
    _ order: inout StoredFrameOrder, mustHaveHead: Bool
  ) throws(CBORError) {
    let before = chain
    (chain, isMisplaced) = (nil, true)
    defer { (chain, isMisplaced) = (before, false) }
    try checkContent(
      &reader, of: frame, claims, after: 0, mustHaveTable: false, mustHaveHead: mustHaveHead)
    if let chain { order.pass(chain.hash) }
  }

  /// Checks the events of a frame, and adds those after the given event to the log.
  private mutating func checkContent(
    _ reader: inout CBORReader, of frame: borrowing StoredFrame, _ claims: FrameClaims,
    after known: UInt64, mustHaveTable: Bool, mustHaveHead: Bool
  ) throws(CBORError) {
    join(claims, of: frame, mustHaveTable: mustHaveTable)
    salts.compare(claims, of: frame, &faults)
    try checkEvents(&reader, of: frame, salting: claims.blocks, after: known)
    if !reader.isAtEnd {
      if let chain { try heads.check(&reader, at: chain, of: id, &hasher, &faults) }
    } else if mustHaveHead {
      faults.report(.headMissing)
    }
    try reader.finish()
  }

  /// Reports repeated events, and events that are missing before the given frame.
  ///
  /// Returns whether all events of the frame are repeated.
  private mutating func compareRange(of frame: borrowing StoredFrame) -> Bool {
    guard let chain else { return false }
    let expected = chain.sequence + 1
    if frame.first > expected { report(missing: expected...frame.first - 1) }
    guard frame.first < expected else { return false }
    faults.report(.repeated(frame.first...min(frame.last, chain.sequence)))
    return frame.last <= chain.sequence
  }

  private mutating func report(missing range: ClosedRange<UInt64>) {
    if !isReplaced { contents.log.missing.append(range) }
    faults.report(.missing(range))
  }

  /// Compares a frame's information with the log so far, and continues from the frame's information.
  private mutating func join(
    _ claims: FrameClaims, of frame: borrowing StoredFrame, mustHaveTable: Bool
  ) {
    let isNext = chain?.isFollowed(by: frame.first) ?? false
    let start = ChainState(
      claims, of: frame, behind: isNext ? chain : nil, mustHaveTable: mustHaveTable, &faults)
    if !isNext { salts.forget() }
    if counts { forks.record(start, endsCommand: true) }
    chain = start
  }

  private mutating func checkEvents(
    _ reader: inout CBORReader, of frame: borrowing StoredFrame, salting: [FrameClaims.Salting],
    after known: UInt64
  ) throws(CBORError) {
    guard var chain = chain.take() else { return }
    defer { self.chain = chain }
    var events = EventCheck(of: id, salting: salting, first: frame.first)
    for sequence in frame.first...frame.last {
      let content = try events.check(
        sequence, &reader, content: frame.content.span, chain: &chain, &hasher, &faults)
      if case .opening(let key) = content { heads.key = key }
      if !counts || sequence <= known { continue }
      forks.record(chain, endsCommand: events.isBetweenCommands)
      contents.add(content, at: chain)
      replaced.compare(chain, &faults)
    }
    if !events.isBetweenCommands { faults.report(.command, sequence: frame.last) }
    if counts, frame.last > known {
      let count = frame.last - max(frame.first - 1, known)
      contents.log.events += Int(count)
      checked(count)
    }
  }

  /// Records the end of the log after a frame or, for a replaced file, the chain hash at the end of the frame.
  private mutating func noteEnd() {
    guard let chain else { return }
    if isReplaced {
      replaced.add(chain, in: faults)
    } else {
      (contents.log.last, contents.log.hash) = (chain.sequence, chain.hash)
    }
  }
}
