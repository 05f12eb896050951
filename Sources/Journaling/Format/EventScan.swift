import Bytes

/// Reads the events of one frame in order and computes their chain hashes.
struct EventScan {
  private(set) var events: [EventRecord] = []
  private(set) var introduced: [UniqueID] = []
  private(set) var when: Int64
  private var time: Int64
  private var hash: Digest
  private let first: UInt64
  private let count: Int
  private let tableCount: UInt64
  private let blocks: [BlockSecrets]
  private var commandLeft: UInt64 = 0
  private var commandBytes = 0

  init(_ information: FrameInformation, _ envelope: FrameEnvelope) {
    (time, when, hash) = (information.time, information.when, information.hash)
    (first, count) = (envelope.firstSequence, envelope.count)
    tableCount = information.tableCount
    blocks = information.blocks
  }

  mutating func readAll(
    _ reader: inout CBORReader, _ content: Span<UInt8>, _ chain: inout Chain
  ) throws(FrameError) {
    try checkBlocks()
    // An event takes at least three bytes, so the size of the content limits the memory that a false count can reserve.
    events.reserveCapacity(min(count, content.count / 3))
    for index in 0..<count {
      try read(first + UInt64(index), &reader, content, &chain)
    }
    let last = first + UInt64(count) - 1
    guard commandLeft == 0 else { throw .command(sequence: last) }
    guard tableCount + UInt64(introduced.count) <= UInt64(Limit.tableEntries) else {
      throw .header(sequence: last)
    }
  }

  /// Checks that each block has one entry, and that an entry with salts contains one salt for each event.
  private func checkBlocks() throws(FrameError) {
    let last = first + UInt64(count) - 1
    let touched = Chain.block(of: first)...Chain.block(of: last)
    guard UInt64(blocks.count) == touched.upperBound - touched.lowerBound + 1 else {
      throw .secrets(block: touched.lowerBound)
    }
    for (secrets, block) in zip(blocks, touched) {
      guard case .salts(let salts) = secrets else { continue }
      let begin = max(first, Chain.first(ofBlock: block))
      let end = min(last, Chain.first(ofBlock: block + 1) - 1)
      guard UInt64(salts.count) == end - begin + 1 else { throw .secrets(block: block) }
    }
  }

  private mutating func read(
    _ sequence: UInt64, _ reader: inout CBORReader, _ content: Span<UInt8>,
    _ chain: inout Chain
  ) throws(FrameError) {
    let start = reader.offset
    let header: Header
    let body: Range<Int>
    let kind: CBORKind
    do throws(CBORError) {
      header = try Header.decode(&reader)
      kind = try reader.peek()
      body = try reader.skip()
    } catch {
      throw .content(error)
    }
    // A stripped body is not counted. Such a body may be larger than the original body, but must not make its command
    // too large.
    let size = (kind == .map ? body.lowerBound : reader.offset) - start
    let isCommandStart = try follow(header, size: size, sequence)
    try advance(header, sequence)
    var verb: UInt64?
    let salted: Digest
    if kind == .map {
      let stripped = try strippedBody(content, body, sequence)
      guard try salt(of: sequence, &chain) == nil, sequence > 1 else {
        throw .secrets(block: Chain.block(of: sequence))
      }
      salted = stripped.digest
    } else {
      verb = try Self.verb(content, body, sequence)
      guard let salt = try salt(of: sequence, &chain) else {
        throw .secrets(block: Chain.block(of: sequence))
      }
      salted = chain.salted(content.extracting(body), salt: salt)
    }
    let headerRange = start..<body.lowerBound
    hash = chain.next(after: hash, header: content.extracting(headerRange), salted: salted)
    events.append(
      EventRecord(
        sequence: sequence, time: time, when: header.whenDelta == nil ? nil : when,
        header: headerRange, body: body, verb: verb, more: header.more,
        namesOthers: header.namesOthers, isCommandStart: isCommandStart, hash: hash))
  }

  /// Counts an event as part of its command.
  ///
  /// - Returns: Whether the event is the first of a command.
  private mutating func follow(
    _ header: Header, size: Int, _ sequence: UInt64
  ) throws(FrameError) -> Bool {
    if commandLeft > 0 {
      commandLeft -= 1
      commandBytes += size
      guard header.more == 0, commandBytes <= Limit.commandBytes else {
        throw .command(sequence: sequence)
      }
      return false
    }
    commandLeft = header.more
    commandBytes = size
    guard header.more < UInt64(Limit.commandEvents), size <= Limit.commandBytes else {
      throw .command(sequence: sequence)
    }
    return true
  }

  /// Adds the times in a header to the running times, and the logs that the header introduces to the table.
  private mutating func advance(_ header: Header, _ sequence: UInt64) throws(FrameError) {
    guard let delta = Int64(exactly: header.delta) else { throw .header(sequence: sequence) }
    let (time, overflows) = time.addingReportingOverflow(delta)
    guard !overflows else { throw .header(sequence: sequence) }
    self.time = time
    if let delta = header.whenDelta {
      let (when, overflows) = when.addingReportingOverflow(delta)
      guard !overflows else { throw .header(sequence: sequence) }
      self.when = when
    }
    for entry in header.seen {
      switch entry.log {
      case .introduced(let id): introduced.append(id)
      case .index(let index): try check(index, sequence)
      }
    }
    guard let link = header.link else { return }
    if let index = link.index { return try check(index, sequence) }
    guard link.sequence < sequence else { throw .header(sequence: sequence) }
  }

  private func check(_ index: UInt64, _ sequence: UInt64) throws(FrameError) {
    guard index < tableCount + UInt64(introduced.count) else { throw .header(sequence: sequence) }
  }

  private func salt(
    of sequence: UInt64, _ chain: inout Chain
  ) throws(FrameError) -> UniqueID? {
    let block = Chain.block(of: sequence)
    switch blocks[Int(block - Chain.block(of: first))] {
    case .seed(let seed): return chain.salt(seed: seed, sequence: sequence)
    case .salts(let salts):
      return salts[Int(sequence - max(first, Chain.first(ofBlock: block)))]
    }
  }

  private static func verb(
    _ content: Span<UInt8>, _ body: Range<Int>, _ sequence: UInt64
  ) throws(FrameError) -> UInt64 {
    var reader = CBORReader(content, at: body.lowerBound)
    let verb: UInt64
    do throws(CBORError) {
      guard try reader.arrayHeader() > 0 else { throw .truncated(at: body.lowerBound) }
      verb = try reader.unsigned()
    } catch {
      throw .content(error)
    }
    // A log has exactly one `open`, which is its first event and must have a valid body.
    let isOpen = verb == JournalVerb.open.rawValue
    guard isOpen == (sequence == 1) else { throw .body(sequence: sequence) }
    if isOpen {
      guard case .trust = JournalBody(content.extracting(body)) else {
        throw .body(sequence: sequence)
      }
    }
    return verb
  }

  private func strippedBody(
    _ content: Span<UInt8>, _ body: Range<Int>, _ sequence: UInt64
  ) throws(FrameError) -> StrippedBody {
    var reader = CBORReader(content, at: body.lowerBound)
    do throws(CBORError) {
      return try StrippedBody.decode(&reader)
    } catch {
      throw .body(sequence: sequence)
    }
  }
}
