import HTTP

/// The content codings that a client accepts, with their weights (RFC 9110 12.5.3).
struct AcceptedCodings {
  /// The weights in thousandths, by codings in lowercase.
  private var weights: [String: Int] = [:]

  /// Parses the values of all `Accept-Encoding` fields, and ignores malformed members.
  init(_ values: [String]) {
    for member in values.flatMap({ $0.split(separator: ",") }) {
      let parts = member.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
      let coding = parts[0].lowercased()
      guard !coding.isEmpty, let weight = Self.weight(parts.dropFirst()) else { continue }
      if weights[coding] == nil { weights[coding] = weight }
    }
  }

  /// Whether gzip is accepted, and has at least the weight of a response without a coding.
  var prefersGzip: Bool {
    // RFC 9110 8.4.1.3: "x-gzip" is an older name for gzip.
    let gzip = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0
    return gzip > 0 && gzip >= identity ?? 0
  }

  /// Whether the client refuses a response without a coding.
  var refusesIdentity: Bool { identity == 0 }

  /// The weight of a response without a coding; nil if the client does not state one, which allows such a response.
  private var identity: Int? { weights["identity"] ?? weights["*"] }

  /// Returns the weight among a coding's parameters, which is 1000 if there is none; nil if it is malformed.
  private static func weight(_ parameters: ArraySlice<String>) -> Int? {
    guard let parameter = parameters.first(where: { $0.lowercased().hasPrefix("q=") }) else {
      return 1000
    }
    let parts = parameter.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard (1...2).contains(parts.count), parts[0] == "0" || parts[0] == "1",
      fraction.utf8.count <= 3, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let thousandths = Int(parts[0] + (fraction + "000").prefix(3)), thousandths <= 1000
    else { return nil }
    return thousandths
  }
}
