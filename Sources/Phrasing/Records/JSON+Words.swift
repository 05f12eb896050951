package import Bytes

extension JSON {
  /// A text, if there is one.
  package static func words(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// An instant, if there is one.
  package static func instant(_ time: Int64?) -> JSON { words(time.map { Instant.text($0) }) }
}
