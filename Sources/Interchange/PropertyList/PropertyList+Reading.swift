extension PropertyList {
  /// The forms in which property lists are written.
  package enum Form: Hashable, Sendable {
    case xml, binary
    /// The oldest form, with braces and without types, which cannot be read.
    case openStep
  }

  /// Parses a property list in XML or in binary form.
  ///
  /// - Parameters:
  ///   - bytes: The property list.
  ///   - limits: The limits on its size and depth.
  /// - Throws: ``PropertyListError`` if the bytes are not a valid list within the limits.
  package init(
    parsing bytes: [UInt8], _ limits: ForeignSettings.Limits = ForeignSettings.Limits()
  ) throws(PropertyListError) {
    let builder = PropertyListBuilder(limits, fileBytes: bytes.count)
    switch Self.form(of: bytes) {
    case .binary:
      var reader = BinaryPropertyListReader(bytes, builder)
      self = try reader.read()
    case .xml:
      var reader = XMLPropertyListReader(bytes, builder)
      self = try reader.read()
    case .openStep:
      throw PropertyListError(.openStep, at: 0, line: 1)
    }
  }

  /// Returns the form that bytes appear to have, even if they are not a property list.
  package static func form(of bytes: [UInt8]) -> Form {
    if bytes.starts(with: "bplist".utf8) { return .binary }
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
    let visible = text.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return visible.first.map { "{(".utf8.contains($0) } ?? false ? .openStep : .xml
  }
}
