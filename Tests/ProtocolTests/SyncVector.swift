import Bytes
import Crypto
import Journaling
import Syncing
import Testing

/// The values of a vector that belong to sections 9 to 11.
extension TestVector {
  /// The places of the vector, which are numbered from 1.
  func places() throws -> [Place] {
    try (0..<number("places")).map { index in
      let number = index + 1
      return Place(
        log: try id("replica \(number)"), sequence: UInt64(try self.number("sequence \(number)")),
        hash: try digest("hash \(number)"), islands: try ranges("ranges \(number)"))
    }
  }

  private func ranges(_ key: String) throws -> [ClosedRange<UInt64>] {
    guard contains(key) else { return [] }
    return try text(key).split(separator: " ").map { try Parts.range($0) }
  }

  func contains(_ key: String) -> Bool { pairs.contains { $0.key == key } }

  /// The file that a value describes as parts of another file.
  func file(_ key: String, from whole: [UInt8]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for part in try text(key).split(separator: " ") {
      if part == "digest" {
        bytes += SHA256.digest(of: bytes).bytes
      } else if part.hasPrefix("+") {
        bytes += try #require(Hex.decode(String(part.dropFirst())))
      } else {
        let range: ClosedRange<Int> = try Parts.range(part)
        bytes += whole[range]
      }
    }
    return bytes
  }
}

/// The notations of values that consist of parts.
enum Parts {
  /// A range such as `1-7`.
  static func range<Number: FixedWidthInteger>(
    _ text: Substring
  ) throws -> ClosedRange<Number> {
    let ends = try text.split(separator: "-").map { try #require(Number($0)) }
    try #require(ends.count == 2 && ends[0] <= ends[1], "\(text) is no range")
    return ends[0]...ends[1]
  }

  /// The bytes of parts, each of which is bytes, or a number of copies such as `100*61`.
  static func bytes(_ parts: some Sequence<Substring>) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      let pieces = part.split(separator: "*").map { String($0) }
      let copy = try #require(pieces.last)
      let count = pieces.count == 1 ? 1 : try #require(Int(pieces[0]))
      if copy.contains("#") {
        for number in 1...count {
          let digits = Hex.encode(UInt32(number).bigEndianBytes)
          bytes += try #require(Hex.decode(copy.replacing("########", with: digits)))
        }
      } else {
        let decoded = try #require(Hex.decode(copy))
        // A single byte is repeated millions of times.
        bytes +=
          decoded.count == 1
          ? Array(repeating: decoded[0], count: count)
          : Array(repeatElement(decoded, count: count).joined())
      }
    }
    return bytes
  }
}

/// The devices of the vectors, and how the document spells what concerns them.
enum VectorDevice {
  /// The ids of the logs, by their names.
  static func ids() throws -> [(name: String, id: UniqueID)] {
    try ["desk", "phone"].map { (name: $0, id: try LogVector("log of \($0)").id) }
  }

  static func name(of log: UniqueID) throws -> String {
    try ids().first { $0.id == log }?.name ?? log.hex
  }

  /// The places of a frontier, such as `phone 4 desk 7`, if they have the hashes of the logs.
  static func spelling(of frontier: Frontier) throws -> String {
    let places = try frontier.places.map { place in
      let name = try name(of: place.log)
      let event = try LogVector("log of \(name)").events[Int(place.sequence) - 1]
      #expect(event.hash == place.hash && place.islands == [], "\(name) \(place.sequence)")
      return "\(name) \(place.sequence)"
    }
    return places.isEmpty ? "none" : places.joined(separator: " ")
  }

  /// The problems of a bundle or folder.
  static func spelling(of problems: [SyncProblem]) throws -> String {
    let words = try problems.map { try spelling(of: $0) }.sorted()
    return words.isEmpty ? "none" : words.joined(separator: " ")
  }

  private static func spelling(of problem: SyncProblem) throws -> String {
    switch problem {
    case .truncated(_, let offset): "truncated(at: \(offset))"
    case .notAFrame(_, let offset): "notAFrame(at: \(offset))"
    case .wrongBundleDigest, .wrongDigest: "wrongDigest"
    case .log(.refused(let log, .foreign)): "foreign(\(try name(of: log)))"
    case .log(.refused(let log, _)): "refused(\(try name(of: log)))"
    case .log(.gap(let log, held: _, received: _)): "gap(\(try name(of: log)))"
    case .log(.wrongHead(let log, sequence: _)): "wrongHead(\(try name(of: log)))"
    default: "\(problem)"
    }
  }
}
