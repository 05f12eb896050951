internal import Bytes
package import Domain

/// The properties that a record keeps for a format in its field `extra`.
///
/// In that field, each name begins with the name of the format, as in `vcf.base` and `ics.alarm`.
package struct ForeignExtra: Sendable, Equatable {
  package var format: FileFormat
  package var properties: [String: String]
  /// The digests of the fields when a file of the format was last read.
  package var base: FieldDigests?
  /// The known states of the record in other books.
  package var known = KnownStates()

  package init(format: FileFormat, _ properties: [String: String], _ base: FieldDigests?) {
    self.format = format
    self.properties = properties
    self.base = base
  }

  /// Reads the properties that a document keeps for a format.
  package init(of document: Document, format: FileFormat) {
    self.init(format: format, [:], nil)
    let prefix = format.rawValue + "."
    for (name, text) in Self.pairs(of: document) where name.hasPrefix(prefix) {
      let name = String(name.dropFirst(prefix.count))
      switch name {
      case ForeignProperties.baseName: base = FieldDigests(text)
      case ForeignProperties.knownName where format.namesWriters:
        known = KnownStates(text) ?? KnownStates()
      default: properties[Self.property(named: name)] = text
      }
    }
  }

  /// Returns the properties that a document keeps for all formats except one.
  static func properties(
    of document: Document, besides format: FileFormat
  ) -> [(format: FileFormat, name: String, text: String)] {
    pairs(of: document).compactMap { name, text in
      let parts = name.split(separator: ".", maxSplits: 1)
      guard parts.count == 2, let other = FileFormat(rawValue: String(parts[0])), other != format,
        ![ForeignProperties.baseName, ForeignProperties.knownName].contains(String(parts[1]))
      else { return nil }
      return (other, property(named: String(parts[1])), text)
    }
  }

  /// Returns the kept pairs of a document; if its field has several values, the pairs of all values, starting with the
  /// shown value.
  private static func pairs(of document: Document) -> [(String, String)] {
    ForeignProperties.joined(document.shown(.extra)?.survivors.map(\.value) ?? [])
  }

  /// Returns the name under which a property is kept.
  ///
  /// A name that this type itself uses is prefixed with an equals sign.
  private static func name(of property: String) -> String {
    ForeignProperties.isState(property) ? "=" + property : property
  }

  private static func property(named name: String) -> String {
    ForeignProperties.isState(name) && name.first == "=" ? String(name.dropFirst()) : name
  }

  /// The known states, and the state that was read last, unless daybook wrote it.
  var knownWithFile: KnownStates {
    guard let base, known.writer == nil else { return known }
    var known = known
    known.note(KnownState(KnownState.file, at: 0, base))
    return known
  }

  /// Returns the value of the field, including the properties that the document keeps for other formats.
  ///
  /// - Parameters:
  ///   - document: The document; nil for a new record.
  ///   - kind: The kind of the record.
  /// - Returns: The value, or null if no properties are kept.
  /// - Throws: ``OperationFault`` if the value is too long.
  func value(in document: Document?, _ kind: Kind) throws(OperationFault) -> Value {
    let prefix = format.rawValue + "."
    var pairs = document.map(Self.pairs) ?? []
    pairs.removeAll { $0.0.hasPrefix(prefix) }
    for (name, text) in properties.sorted(by: { $0.key < $1.key }) {
      pairs.append((prefix + Self.name(of: name), text))
    }
    if let base, !base.isEmpty { pairs.append((prefix + ForeignProperties.baseName, base.text)) }
    if !known.isEmpty { pairs.append((prefix + ForeignProperties.knownName, known.text)) }
    do throws(ValueFault) {
      return try FieldType.map(maximumBytes: Schema.Limit.mapBytes).admit(
        pairs.isEmpty ? .null : .map(pairs))
    } catch {
      throw .badValue(kind, "extra", .value(error))
    }
  }
}
