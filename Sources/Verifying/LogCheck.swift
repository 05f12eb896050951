import Bytes
import Crypto
import Platform

/// Follows one strand of a log through its frames and says where it is not as ``protocol.md`` has it.
///
/// Shares no code with the reading and writing of frames, so that a mistake there is seen here.
struct LogCheck: ~Copyable {
  /// The log up to an event.
  struct Chain {
    var sequence: UInt64
    var time: UInt64
    var when: Int64
    var hash: Digest
    var tableCount: UInt64
    /// Nil where a missing event may have added to it.
    var table: [UniqueID]?
    /// Whether the events up to here are missing, so that nothing but their number is known.
    var isAdrift = false
  }

  /// A head whose key is not known yet.
  struct OpenHead {
    var place: Fault
    var message: [UInt8]
    var signature: [UInt8]
  }

  /// What another file says of the log at one event.
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
  /// Runs what opens frames ahead; nil where there is but one thread.
  var beside: Machine.Beside?
  /// Told of the events of each frame that was checked.
  var checked: (UInt64) -> Void = { _ in }

  /// Nil where the next frame may begin anywhere.
  var chain: Chain?
  var key: PublicKey?
  var openHeads: [OpenHead] = []
  /// What files that were replaced say, in the order of the events.
  var testimonies: [Testimony] = []
  var nextTestimony = 0
  /// The events behind which strands of the replica fork.
  var points: Set<UInt64> = []
  var forkPoints: [UInt64: ForkPoint] = [:]
  /// Those behind which no command has ended yet.
  var openPoints: [UInt64] = []
  /// Events whose bodies were taken away, in their order.
  var stripped: [StrippedEvent] = []
  /// Events that take bodies away.
  var erasures: [EventMark] = []
  /// The last block that has been read, with its number.
  var lastBlock: (number: UInt64, claims: BlockClaims)?

  var file = ""
  var offset = 0
  /// Whether the file has been replaced by another, so that it only bears witness.
  var isReplaced = false

  init(_ strand: UniqueID, of replica: UniqueID, isAside: Bool) {
    id = replica
    log = VerifiedLog(id: strand, replica: replica, isAside: isAside)
    chain = nil
  }

  /// Goes back to where the files that count begin, which is behind an event or before the first.
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

  /// Ends a file that counts: events it is named after and does not hold are missing.
  mutating func finish(_ listed: ListedFile) {
    guard let last = listed.last, let sequence = chain?.sequence, sequence < last else { return }
    report(missing: sequence + 1...last)
    chain?.sequence = last
    chain?.isAdrift = true
  }

  /// Ends the log: what had to wait for the key or for the end is settled.
  mutating func finish() {
    // A replaced file that holds more than what took its place should not have been replaced.
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

  /// Reports events that are not there.
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

  /// Compares what a frame says of the log before it with the log, and goes on from what it says.
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

  /// Compares what a frame says of a block with what the frames before it said.
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

  /// Hears what replaced files say of an event.
  mutating func hear(sequence: UInt64, hash: Digest) {
    while nextTestimony < testimonies.count, testimonies[nextTestimony].sequence <= sequence {
      let testimony = testimonies[nextTestimony]
      nextTestimony += 1
      if testimony.sequence == sequence, testimony.hash != hash { faults.append(testimony.place) }
    }
  }
}
