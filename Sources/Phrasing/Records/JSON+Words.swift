package import Bytes

extension JSON {
  /// Returns the text as a string, or null if there is none.
  package static func words(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// Returns an instant in RFC 3339 format, or null if there is none.
  package static func instant(_ time: Int64?) -> JSON { words(time.map { Instant.text($0) }) }
}
