/// The kept writes of many entities in one array, linked into a chain for each entity.
///
/// A chain is sorted by field, then by log. An array for each entity would need an allocation whenever it grows, and
/// more memory for each write. A chain is searched from its beginning, so it suits only a few writes.
struct WriteChains: Sendable {
  private struct Link: Sendable {
    var value: Value
    var origin: UInt32
    var next: UInt32
    var field: UInt32
  }

  private var links: [Link] = []
  private var fields = CompactInteger<Int64>()

  init() {}

  mutating func reserveCapacity(_ count: Int) { links.reserveCapacity(count) }

  /// Keeps a write unless its log has a later write to the field.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - origin: The place of the write's event.
  ///   - first: The place of the first write of the chain.
  ///   - origins: The events that places refer to.
  /// - Returns: Whether the chain has become longer.
  mutating func keep(
    _ write: Write, of origin: UInt32, in first: inout UInt32, _ origins: Origins
  ) -> Bool {
    let key = origins.key(at: origin)
    var (before, next) = (EntityRow.none, first)
    while next != EntityRow.none {
      let place = Int(next)
      let field = fields.widened(links[place].field)
      if field > write.field.rawValue { break }
      if field == write.field.rawValue {
        let known = origins.key(at: links[place].origin)
        if known.log == key.log {
          if known.sequence <= key.sequence {
            (links[place].value, links[place].origin) = (write.value, origin)
          }
          return false
        }
        if known.log > key.log { break }
      }
      (before, next) = (next, links[place].next)
    }
    let place = UInt32(links.count)
    let field = fields.narrow(write.field.rawValue)
    links.append(Link(value: write.value, origin: origin, next: next, field: field))
    if before == EntityRow.none { first = place } else { links[Int(before)].next = place }
    return true
  }

  /// The writes of the chain that begins at a place.
  func writes(from first: UInt32, count: Int, _ origins: Origins) -> [Stored] {
    var writes: [Stored] = []
    writes.reserveCapacity(count)
    var next = first
    while next != EntityRow.none {
      let place = Int(next)
      let field = Field(rawValue: fields.widened(links[place].field))
      writes.append(origins[links[place].origin].write(of: field, links[place].value))
      next = links[place].next
    }
    return writes
  }
}
