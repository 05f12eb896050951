/// A measured figure.
struct Finding: Equatable {
  /// The name of a type, a folder or a module.
  let subject: String
  let figure: Int
  /// The files to look at, if the figure counts files.
  var places: [String] = []
}

/// A limit with exceptions that may only shrink.
///
/// When the figure of an exception falls, a complaint demands that the exception be lowered or removed.
struct Ratchet {
  let limit: Int
  /// The things that are counted, as messages name them.
  let unit: String
  /// Advice on how to get below the limit.
  let advice: String
  let exceptions: [String: Int]
  /// How far a figure may fall below its exception before the exception must be lowered; more than 0 for figures that
  /// most changes affect.
  var slack = 0

  /// A message for each figure that is over its limit, and for each exception that is too high.
  func complaints(about findings: [Finding]) -> [String] {
    let found = Set(findings.map(\.subject))
    let gone = exceptions.keys.filter { !found.contains($0) }
      .map { Finding(subject: $0, figure: 0) }
    return (findings + gone).sorted { $0.subject < $1.subject }.compactMap(complaint)
  }

  private func complaint(about finding: Finding) -> String? {
    let (subject, figure) = (finding.subject, finding.figure)
    let places = finding.places.map { "\n  \($0)" }.joined()
    guard let exception = exceptions[subject] else {
      return figure <= limit
        ? nil : "\(subject): \(figure) \(unit), at most \(limit). \(advice)\(places)"
    }
    if figure <= limit {
      return "\(subject): \(figure) \(unit), and \(limit) are allowed. Remove its exception."
    }
    if figure < exception - slack {
      return "\(subject): \(figure) \(unit). Lower its exception from \(exception) to \(figure)."
    }
    return figure <= exception
      ? nil
      : "\(subject): \(figure) \(unit), at most \(exception) by its exception. \(advice)\(places)"
  }
}
