import Bytes
import Crypto
import Platform

/// Checks one strand of a log, frame by frame, against `protocol.md`.
///
/// It shares no code with the reader and writer of frames, so that it detects their mistakes.
struct LogCheck: ~Copyable {
  /// The state of the log after an event.
  struct Chain {
    var sequence: UInt64
    var time: UInt64
    var when: Int64
    var hash: Digest
    var tableCount: UInt64
    /// Nil if a missing event may have added to it.
    var table: [UniqueID]?
    /// Whether the preceding events are missing, so that only their number is known.
    var isAdrift = false
  }

  /// A head that waits for the log's key.
  struct OpenHead {
    var place: Fault
    var message: [UInt8]
    var signature: [UInt8]
  }

  /// The chain hash at one event according to a replaced file.
  struct Testimony {
    var sequence: UInt64
    var hash: Digest
    var place: Fault
  }

  /// The replica that writes the log, and signs its heads.
  let id: UniqueID
  var log: VerifiedLog
  var faults: [Fault] = []
  var hasher = SHA256()
  /// Starts the thread that opens frames ahead; nil if there is only one thread.
  var beside: Machine.Beside?
  /// Called with the number of events after each frame.
  var checked: (UInt64) -> Void = { _ in }

  /// Nil if the next frame may begin anywhere.
  var chain: Chain?
  var key: PublicKey?
  var openHeads: [OpenHead] = []
  /// The hashes from replaced files, in the order of the events.
  var testimonies: [Testimony] = []
  var nextTestimony = 0
  /// The events after which strands of the replica fork.
  var points: Set<UInt64> = []
  var forkPoints: [UInt64: ForkPoint] = [:]
  /// The fork points after which no command has ended yet.
  var openPoints: [UInt64] = []
  /// The stripped events, in order.
  var stripped: [StrippedEvent] = []
  /// The `erase` events.
  var erasures: [EventMark] = []
  /// The last block that was read, and its number.
  var lastBlock: (number: UInt64, claims: BlockClaims)?

  var file = ""
  var offset = 0
  /// Whether the current file is replaced by another, and only serves for comparison.
  var isReplaced = false

  init(_ strand: UniqueID, of replica: UniqueID, isAside: Bool) {
    id = replica
    log = VerifiedLog(id: strand, replica: replica, isAside: isAside)
    chain = nil
  }

  /// Begins the files that count, after an event; 0 is the start of the log.
  mutating func start(behind sequence: UInt64) {
    isReplaced = false
    lastBlock = nil
    let zero = hasher.digest((Array("daybook log v1".utf8) + id.bytes).span)
    let start = Chain(
      sequence: sequence, time: 0, when: 0, hash: zero, tableCount: 0, table: [],
      isAdrift: sequence > 0)
    mark(start, endsCommand: true)
    chain = start
    testimonies.sort { $0.sequence < $1.sequence }
  }

  /// Ends a file that counts, and reports events in its name that are missing after its last frame.
  mutating func finish(_ listed: ListedFile) {
    guard let last = listed.last, let sequence = chain?.sequence, sequence < last else { return }
    report(missing: sequence + 1...last)
    chain?.sequence = last
    chain?.isAdrift = true
  }

  /// Ends the log: reports testimonies beyond its last event, and verifies waiting heads if the key is known.
  mutating func finish() {
    // A file that holds more than its replacement should not have been replaced.
    for testimony in testimonies[nextTestimony...] where testimony.sequence > log.last {
      faults.append(testimony.place)
    }
    guard let key else { return }
    for head in openHeads { settle(head, with: key) }
    openHeads = []
  }

  mutating func report(_ what: Fault.Kind, sequence: UInt64? = nil, offset: Int? = nil) {
    faults.append(
      Fault(file: file, offset: offset ?? self.offset, sequence: sequence, kind: what))
  }

  /// Reports missing events.
  mutating func report(missing range: ClosedRange<UInt64>) {
    if !isReplaced { log.missing.append(range) }
    report(.missing(range))
  }

  mutating func settle(_ head: OpenHead, with key: PublicKey) {
    if key.verifies(head.signature, of: head.message) {
      log.heads += 1
    } else {
      faults.append(head.place)
    }
  }

  /// Compares a frame's information with the log so far, and continues from the frame's information.
  mutating func join(_ claims: FrameClaims, of frame: borrowing StoredFrame, mustHaveTable: Bool) {
    let isNext = chain.map { !$0.isAdrift && frame.first == $0.sequence + 1 } ?? false
    var table = claims.table ?? (claims.tableCount == 0 ? [] : nil)
    if claims.isWordy { report(.information) }
    if let given = claims.table, UInt64(given.count) != claims.tableCount { report(.information) }
    if mustHaveTable, table == nil { report(.information) }
    if isNext, let chain {
      if claims.time != chain.time { report(.unjoined(.time)) }
      if claims.when != chain.when { report(.unjoined(.when)) }
      if claims.hash != chain.hash { report(.unjoined(.chain)) }
      let differs = table.map { given in chain.table.map { $0 != given } ?? false } ?? false
      if claims.tableCount != chain.tableCount || differs { report(.unjoined(.table)) }
      if table == nil, claims.tableCount == chain.tableCount { table = chain.table }
    }
    if !isNext { lastBlock = nil }
    let start = Chain(
      sequence: frame.first - 1, time: claims.time, when: claims.when, hash: claims.hash,
      tableCount: claims.tableCount, table: table)
    mark(start, endsCommand: true)
    chain = start
  }

  /// Compares the salts of a frame's first block with those in earlier frames.
  mutating func compareSalting(_ claims: FrameClaims, of frame: borrowing StoredFrame) {
    guard let first = claims.blocks.first, let last = claims.blocks.last else { return }
    let number = FrameClaims.block(of: frame.first)
    var block = lastBlock.flatMap { $0.number == number ? $0.claims : nil } ?? BlockClaims()
    if !block.take(first) {
      report(.seedDiffers)
      block = BlockClaims(first)
    }
    if claims.blocks.count > 1 { block = BlockClaims(last) }
    lastBlock = (FrameClaims.block(of: frame.last), block)
  }

  /// Compares an event's chain hash with the hashes from replaced files.
  mutating func hear(sequence: UInt64, hash: Digest) {
    while nextTestimony < testimonies.count, testimonies[nextTestimony].sequence <= sequence {
      let testimony = testimonies[nextTestimony]
      nextTestimony += 1
      if testimony.sequence == sequence, testimony.hash != hash { faults.append(testimony.place) }
    }
  }
}
