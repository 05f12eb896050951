/// Why bytes are no property list, and where.
package struct PropertyListError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The list is in the oldest form, with braces, which is not read.
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
    /// The list names its parts so often that it stands for more bytes than are taken.
    case unpacksTooMuch(maximumBytes: Int)
    case repeatedKey(String)
    /// The document brings entities of its own, as only hostile lists do.
    case ownEntities
    case encoding(String)
    /// A binary list of another version.
    case version(String)
    /// A binary list whose table or references lead outside of it.
    case badReference
  }

  package var reason: Reason
  package var offset: Int
  /// The line, from 1; nil in a binary list.
  package var line: Int?

  package init(_ reason: Reason, at offset: Int, line: Int? = nil) {
    self.reason = reason
    self.offset = offset
    self.line = line
  }

  /// An error in a text, which has lines.
  init(_ reason: Reason, at offset: Int, of text: [UInt8]) {
    let before = text.prefix(offset)
    self.init(reason, at: offset, line: before.count { $0 == 0x0a } + 1)
  }
}
