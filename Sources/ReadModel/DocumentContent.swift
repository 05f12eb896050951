internal import Bytes
internal import Domain

/// What a document's row is made from: the values shown, with references as they were written.
///
/// A value of a shape that its column does not know reads as none.
struct DocumentContent {
  let document: Document
  /// When the shown member came to be.
  let addedAt: Int64
  private let written: [Field: [Stored]]

  init(_ document: Document, in records: Records) {
    self.document = document
    addedAt = records.entities[document.key]?.birth?.effectiveTime ?? 0
    var written: [Field: [Stored]] = [:]
    for shown in document.fields {
      written[shown.field] = records.writtenReferences(shown.field, of: document)
    }
    self.written = written
  }

  func value(_ field: Field) -> Value {
    written[field].map { $0.first?.value ?? .null } ?? document.value(field)
  }

  func text(_ field: Field) -> String? { document.text(field) }

  func integer(_ field: Field) -> Int64? {
    // A reference that leads nowhere is shown as null, which may mean a number; as written it means none.
    if let first = written[field]?.first { return first.value.integer }
    return document.integer(field)
  }

  func boolean(_ field: Field) -> Bool? { value(field).boolean }
  func reference(_ field: Field) -> EventKey? { value(field).reference }
  func date(_ field: Field) -> CivilDate? { value(field).date }

  func bytes(_ field: Field) -> [UInt8]? {
    if case .bytes(let bytes) = value(field) { bytes } else { nil }
  }

  func texts(_ field: Field) -> [String] {
    if case .texts(let texts) = value(field) { texts } else { [] }
  }

  /// Texts, or a map of texts to texts, as a JSON array or object.
  func json(_ field: Field) -> String? {
    switch value(field) {
    case .texts(let texts): JSON.array(texts.map(JSON.string)).text()
    case .other(let encoded): members(encoded).map { JSON.object($0).text() }
    default: nil
    }
  }

  private func members(_ encoded: [UInt8]) -> [JSON.Member]? {
    do throws(CBORError) {
      var reader = CBORReader(encoded.span)
      guard try reader.peek() == .map else { return nil }
      var members: [JSON.Member] = []
      for _ in 0..<(try reader.mapHeader()) {
        let name = try reader.text()
        members.append(JSON.Member(name, .string(try reader.text())))
      }
      return members
    } catch {
      // A shape that the column does not know.
      return nil
    }
  }

  /// The fields with several values, each with its survivors, the highest stamp first.
  var conflicts: [(Field, [Stored])] {
    document.fields.compactMap { shown in
      if let written = written[shown.field] {
        let isQuiet = Schema.field(shown.field, of: document.kind)?.isQuiet ?? false
        let isConflict = written.count > 1 && !isQuiet
        return isConflict ? (shown.field, written) : nil
      }
      return shown.isConflict ? (shown.field, shown.survivors) : nil
    }
  }
}

extension Records {
  /// The survivors of a field in which references were written, exactly as they were; nil for other fields.
  ///
  /// A ``Document`` shows which document a reference leads to. That can change without the document being
  /// touched, so a row cannot be made from it.
  fileprivate func writtenReferences(_ field: Field, of document: Document) -> [Stored]? {
    let registers = document.members.compactMap { entities[$0]?.writes(of: field) }
    guard registers.contains(where: { $0.contains { $0.value.reference != nil } }) else {
      return nil
    }
    let survivors = registers.flatMap { writes in
      writes.filter { write in
        !writes.contains { causality.past(of: $0.key, includes: write.key) }
      }
    }
    var known: Set<[UInt8]> = []
    return survivors.map { ($0, stamp(of: $0)) }.sorted { $0.1 > $1.1 }.map(\.0)
      .filter { known.insert($0.value.encoded()).inserted }
  }

  private func stamp(of write: Stored) -> Stamp {
    let replica = causality.identity(of: write.key.log)?.replica ?? UniqueID(high: 0, low: 0)
    return Stamp(
      time: write.time, replica: replica, sequence: write.key.sequence, hash: write.hash)
  }
}
