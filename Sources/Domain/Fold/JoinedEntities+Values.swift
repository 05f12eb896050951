internal import Bytes

// Values as documents show them, so that a reference refers to the shown member of its document.

extension JoinedEntities {
  /// A write whose reference, if it has one, refers to a shown member; null if there is no such member.
  func shown(_ write: Stored) -> Stored {
    guard let key = write.value.reference else { return write }
    var write = write
    write.value = shownMember(of: key).map(Value.reference) ?? .null
    return write
  }

  /// One write for each value, highest stamp first, with references to the shown members.
  func distinctValues(_ writes: [Stored]) -> [Stored] {
    if writes.count == 1, writes[0].value.reference == nil { return writes }
    let mapped = writes.map { shown($0) }
    guard mapped.count > 1 else { return mapped }
    // Compare bytes, because strings that Swift considers equal can be different values.
    var known: Set<[UInt8]> = []
    return causality.highestFirst(mapped).filter { known.insert(encoded($0.value)).inserted }
  }

  /// The value as encoded in the digest; values with equal bytes are the same.
  func encoded(_ value: Value) -> [UInt8] {
    var writer = CBORWriter()
    encode(value, into: &writer)
    return writer.bytes
  }

  /// Writes a value as encoded in a body, except that a reference is `[id]`.
  func encode(_ value: Value, into writer: inout CBORWriter) {
    switch value {
    case .null: writer.null()
    case .boolean(let flag): writer.boolean(flag)
    case .integer(let number): writer.integer(number)
    case .text(let text): writer.text(text)
    case .bytes(let bytes): writer.byteString(bytes)
    case .texts(let texts):
      writer.arrayHeader(texts.count)
      for text in texts { writer.text(text) }
    case .reference(let key):
      writer.arrayHeader(1)
      // References to entities without a document became null when the values were collected.
      if let id = entities.id(of: key) { writer.uniqueID(id) } else { writer.null() }
    case .other(let encoded): writer.raw(encoded)
    }
  }
}
