package import Bytes

/// The reason why a recorded draw is invalid, or why no draw is possible.
package enum DrawError: Error, Hashable, Sendable {
  case encoding(CBORError)
  case malformed
  /// The sum of the weights is 0.
  case weightless
  /// The sum of the weights exceeds 64 bits.
  case tooHeavy
  /// The drawn numbers do not produce the recorded outcome.
  case untrue
}

/// A choice drawn in exact proportion to the weights, with all data needed to check it.
///
/// A number of 64 random bits is taken modulo the total. The few lowest numbers, which would favour the first choices,
/// are drawn again. The remainder is the ticket, which selects an entry by counting through the weights in the recorded
/// order.
package struct Draw: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package let id: UniqueID
    package let weight: UInt64

    package init(id: UniqueID, weight: UInt64) {
      self.id = id
      self.weight = weight
    }
  }

  /// The numbers drawn: the rejected numbers, followed by the number that counts.
  package let thrown: [UInt64]
  package let total: UInt64
  package let ticket: UInt64
  package let entries: [Entry]

  // The probability of a rejection is less than 1/2, so fair dice practically never reach the limit.
  private static let throwLimit = 1024

  /// Draws an entry; throws if the sum of the weights is 0 or exceeds 64 bits.
  package init(_ entries: [Entry], dice: () -> UInt64) throws(DrawError) {
    let total = try Self.total(of: entries)
    var thrown = [dice()]
    while let last = thrown.last, Self.isRejected(last, total: total) {
      precondition(thrown.count < Self.throwLimit, "the dice reject too many numbers")
      thrown.append(dice())
    }
    self.thrown = thrown
    self.total = total
    ticket = (thrown.last ?? 0) % total
    self.entries = entries
  }

  /// The index in ``entries`` of the entry drawn.
  ///
  /// - Throws: ``DrawError`` if the record contradicts itself.
  package func replay() throws(DrawError) -> Int {
    guard try Self.total(of: entries) == total, let last = thrown.last,
      !Self.isRejected(last, total: total), last % total == ticket,
      thrown.dropLast().allSatisfy({ Self.isRejected($0, total: total) })
    else { throw .untrue }
    var rest = ticket
    for (place, entry) in entries.enumerated() {
      if rest < entry.weight { return place }
      rest -= entry.weight
    }
    throw .untrue
  }

  private static func total(of entries: [Entry]) throws(DrawError) -> UInt64 {
    var total: UInt64 = 0
    for entry in entries {
      let (sum, overflows) = total.addingReportingOverflow(entry.weight)
      guard !overflows else { throw .tooHeavy }
      total = sum
    }
    guard total > 0 else { throw .weightless }
    return total
  }

  /// Whether a number is below 2^64 mod total; the count of numbers that are not below it is a multiple of the total.
  private static func isRejected(_ number: UInt64, total: UInt64) -> Bool {
    number < firstFairNumber(total: total)
  }
}

extension Draw {
  /// The draw as CBOR: `[[+ thrown], total, ticket, [+ [id, weight]]]`.
  package var encoded: [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.arrayHeader(thrown.count)
    for number in thrown { writer.unsigned(number) }
    writer.unsigned(total)
    writer.unsigned(ticket)
    writer.arrayHeader(entries.count)
    for entry in entries {
      writer.arrayHeader(2)
      writer.uniqueID(entry.id)
      writer.unsigned(entry.weight)
    }
    return writer.bytes
  }

  /// Decodes a draw without checking that it is consistent.
  package init(_ encoded: Span<UInt8>) throws(DrawError) {
    do {
      try self.init(reading: encoded)
    } catch let error as DrawError {
      throw error
    } catch let error as CBORError {
      throw .encoding(error)
    } catch {
      preconditionFailure("reading throws no other errors")
    }
  }

  private init(reading encoded: Span<UInt8>) throws {
    var reader = CBORReader(encoded)
    guard try reader.arrayHeader() == 4 else { throw DrawError.malformed }
    var thrown: [UInt64] = []
    for _ in 0..<(try reader.arrayHeader()) { thrown.append(try reader.unsigned()) }
    total = try reader.unsigned()
    ticket = try reader.unsigned()
    var entries: [Entry] = []
    for _ in 0..<(try reader.arrayHeader()) {
      guard try reader.arrayHeader() == 2 else { throw DrawError.malformed }
      entries.append(Entry(id: try reader.uniqueID(), weight: try reader.unsigned()))
    }
    try reader.finish()
    self.thrown = thrown
    self.entries = entries
  }
}
