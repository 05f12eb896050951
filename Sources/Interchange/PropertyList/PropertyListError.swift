/// The reason why bytes are not a valid property list, with the offset of the fault.
package struct PropertyListError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The list is in the oldest form, with braces, which cannot be read.
    case openStep
    case unexpectedEnd
    case unexpected
    case unknownElement(String)
    case badText
    case badNumber
    case badDate
    case badData
    case tooDeep(maximum: Int)
    case tooLong(maximumBytes: Int)
    /// The list expands to more bytes than the limit because of repeated references.
    case unpacksTooMuch(maximumBytes: Int)
    case repeatedKey(String)
    /// The document declares entities of its own, which only hostile lists do.
    case ownEntities
    case encoding(String)
    /// The binary list has a different version.
    case version(String)
    /// The table or a reference of the binary list points outside the list.
    case badReference
  }

  package var reason: Reason
  package var offset: Int
  /// The line, counted from 1; nil in a binary list.
  package var line: Int?

  package init(_ reason: Reason, at offset: Int, line: Int? = nil) {
    self.reason = reason
    self.offset = offset
    self.line = line
  }

  /// Creates an error at an offset in the given text, with the number of the line at that offset.
  init(_ reason: Reason, at offset: Int, of text: [UInt8]) {
    let before = text.prefix(offset)
    self.init(reason, at: offset, line: before.count { $0 == 0x0a } + 1)
  }
}
