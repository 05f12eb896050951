import HTTP

/// The path components and the query of a request.
package struct Target: Equatable, Sendable {
  package var path: [String]
  package var query: Pairs

  /// Parses a request target; nil if an escape is malformed, or if the result is not UTF-8.
  package init?(_ target: String) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for part in halves[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let text = PercentEncoding.decoded(part, plusIsBlank: false) else { return nil }
      path.append(text)
    }
    guard let query = Pairs(halves.count == 2 ? halves[1] : "") else { return nil }
    (self.path, self.query) = (path, query)
  }
}

/// The names and values in a query or in the body of a form.
package struct Pairs: Equatable, Sendable {
  private var values: [String: [String]] = [:]

  /// Parses text such as `a=1&b=2`, including escapes; nil if an escape is malformed, or if the result is not UTF-8.
  package init?(_ text: some StringProtocol) {
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decoded(halves[0], plusIsBlank: true),
        let value = PercentEncoding.decoded(halves.count == 2 ? halves[1] : "", plusIsBlank: true)
      else { return nil }
      values[name, default: []].append(value)
    }
  }

  /// The value of a name that occurs exactly once; nil otherwise.
  package subscript(name: String) -> String? {
    values[name].flatMap { $0.count == 1 ? $0[0] : nil }
  }

  /// All names that occur exactly once, sorted.
  package var names: [String] { values.filter { $0.value.count == 1 }.keys.sorted() }
}
