extension PropertyList {
  /// The ways to write a property list down.
  package enum Form: Hashable, Sendable {
    case xml, binary
    /// The oldest one, with braces and without types, which is not read.
    case openStep
  }

  /// Reads a property list in XML or in its binary form, within limits.
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

  /// The form that bytes seem to be in; they may be no list at all.
  package static func form(of bytes: [UInt8]) -> Form {
    if bytes.starts(with: "bplist".utf8) { return .binary }
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
    let visible = text.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return visible.first.map { "{(".utf8.contains($0) } ?? false ? .openStep : .xml
  }
}
