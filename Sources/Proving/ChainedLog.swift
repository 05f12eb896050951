import Bytes
import Crypto

/// A log of a proof whose chain and signatures hold.
struct ChainedLog {
  /// One event of the log, shown or not.
  struct Event {
    var sequence: UInt64
    /// The time in ms since 1970, by the clock of the device.
    var time: UInt64
    /// Whether a source stated a time, and that time if the file proves it.
    var hasWhen = false
    var when: Int64?
    var hash: Digest
    /// The body; nil if it is not shown.
    var body: [UInt8]?
  }

  let replica: UniqueID
  let key: PublicKey
  let incarnation: UniqueID
  private(set) var events: [UInt64: Event] = [:]
  private(set) var stretches: [ClosedRange<UInt64>] = []
  /// The beginning of the log's table, as far as the file shows it, with the events that added its entries.
  private(set) var table: [(log: UniqueID, by: UInt64)] = []
  private let number: Int

  /// Checks a log of a proof.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - number: Its place in the file.
  ///   - book: The id of the book.
  /// - Throws: ``ProofFault`` for the first fault.
  init(_ log: ProofLog, number: Int, in book: UniqueID) throws(ProofFault) {
    do throws(CryptoError) { key = try PublicKey(log.key) } catch { throw .key(log: number) }
    incarnation = log.incarnation
    self.number = number
    var hasher = SHA256()
    hasher.update(Array("daybook replica v1".utf8))
    hasher.update(log.key)
    hasher.update(incarnation.bytes)
    replica = hasher.finish().prefix16
    for stretch in log.stretches { try add(stretch, &hasher, in: book) }
  }

  private mutating func add(
    _ stretch: ProofStretch, _ hasher: inout SHA256, in book: UniqueID
  ) throws(ProofFault) {
    if stretch.first == 1 {
      hasher.update(Array("daybook log v1".utf8))
      hasher.update(replica.bytes)
      guard hasher.finish() == stretch.before, stretch.time == 0 else {
        throw .beginning(log: number)
      }
    }
    var (hash, time, sequence) = (stretch.before, stretch.time, stretch.first)
    // The time that a source stated is a sum over the whole log.
    var when: Int64? = stretch.first == 1 ? 0 : nil
    var found: [Event] = []
    for event in stretch.events {
      let header = try header(of: event, at: sequence)
      let (now, overflows) = time.addingReportingOverflow(header.delta)
      guard !overflows, now <= UInt64(Int64.max) else {
        throw .header(log: number, sequence: sequence)
      }
      time = now
      if let delta = header.whenDelta, let last = when {
        let (sum, overflows) = last.addingReportingOverflow(delta)
        guard !overflows else { throw .header(log: number, sequence: sequence) }
        when = sum
      }
      if stretch.first == 1 { table += header.introduced.map { ($0, sequence) } }
      let salted = salted(event, &hasher)
      hasher.update(hash.bytes)
      hasher.update(event.header)
      hasher.update(salted.bytes)
      hash = hasher.finish()
      var body: [UInt8]?
      if case .shown(_, let shown) = event.content { body = shown }
      let isStated = header.whenDelta != nil
      found.append(
        Event(
          sequence: sequence, time: time, hasWhen: isStated, when: isStated ? when : nil,
          hash: hash, body: body))
      sequence += 1
    }
    try checkPlace(of: found)
    let last = sequence - 1
    guard let signature = stretch.signature else {
      // The id of the book proves its first event.
      guard last == 1, hash.prefix16 == book else { throw .unsigned(log: number, sequence: last) }
      return note(found, from: stretch.first, to: last)
    }
    hasher.update(Array("daybook head v1".utf8))
    hasher.update(replica.bytes)
    hasher.update(last.bigEndianBytes)
    hasher.update(time.bigEndianBytes)
    hasher.update(hash.bytes)
    guard key.verifies(signature, of: hasher.finish().bytes) else {
      throw .signature(log: number, sequence: last)
    }
    note(found, from: stretch.first, to: last)
  }

  private mutating func note(_ found: [Event], from first: UInt64, to last: UInt64) {
    for event in found { events[event.sequence] = event }
    stretches.append(first...last)
  }

  private func header(
    of event: ProofEvent, at sequence: UInt64
  ) throws(ProofFault) -> EventHeader {
    do throws(CBORError) { return try EventHeader(event.header) } catch {
      throw .header(log: number, sequence: sequence)
    }
  }

  private func salted(_ event: ProofEvent, _ hasher: inout SHA256) -> Digest {
    switch event.content {
    case .hidden(let digest): return digest
    case .shown(let salt, let body):
      hasher.update(salt.bytes)
      hasher.update(body)
      return hasher.finish()
    }
  }

  /// Checks that events follow those of the earlier stretches.
  private func checkPlace(of found: [Event]) throws(ProofFault) {
    guard let before = stretches.last, let first = found.first,
      first.sequence <= before.upperBound
    else { return }
    for event in found {
      guard let other = events[event.sequence] else { continue }
      throw other.hash == event.hash
        ? .repeated(log: number, sequence: event.sequence)
        : .contradiction(log: number, sequence: event.sequence)
    }
    throw .order(log: number, sequence: first.sequence)
  }
}

extension ChainedLog {
  /// The events in their order, so that of several faults always the same one is reported.
  var ordered: [Event] { events.values.sorted { $0.sequence < $1.sequence } }

  /// The number of events in the log's stretches.
  var linkedCount: Int { events.count }

  /// Whether the log goes by an id: that of its replica, or that of a branch whose first command the file contains.
  func isCalled(_ id: UniqueID) -> Bool {
    if id == replica { return true }
    return events.values.contains { event in
      SHA256.digest(of: Array("daybook branch v1".utf8) + event.hash.bytes).prefix16 == id
    }
  }
}
