internal import Bytes

extension Value {
  /// Returns a map of strings; each key must occur once.
  package static func map(_ pairs: [(String, String)]) -> Value {
    .other(
      CBORValue.encode(
        .map(pairs.map { CBORValue.Pair(key: .text($0.0), value: .text($0.1)) })))
  }

  /// The pairs of a map of strings, in the order of their bytes; nil for any other value.
  package var textPairs: [(String, String)]? {
    guard case .other(let encoded) = self else { return nil }
    do throws(CBORError) {
      guard case .map(let pairs) = try CBORValue.decode(encoded.span) else { return nil }
      let texts = pairs.compactMap { pair -> (String, String)? in
        guard case (.text(let key), .text(let text)) = (pair.key, pair.value) else { return nil }
        return (key, text)
      }
      return texts.count == pairs.count ? texts : nil
    } catch {
      return nil
    }
  }
}
