import Bytes
import Domain
import Journaling

/// Headers and bodies, and the fold of these bodies.
enum Events {
  /// The number of logs in the author's table.
  ///
  /// The author's own log has the number 0, and the first log of the table has the number 1.
  private static let table: UInt64 = 3

  static func take(_ bytes: [UInt8]) throws(Violation) {
    try takeItems(bytes)
    var reader = CBORReader(bytes.span)
    guard let header = try? Header.decode(&reader) else { return }
    let encoded = header.encode()
    var second = CBORReader(encoded.span)
    let again = try? Header.decode(&second)
    try demand(again == header && second.isAtEnd, "a header is read back unchanged")
    guard let range = try? reader.skip() else { return }
    let body = Array(bytes[range])
    try takeTrust(body)
    try takeStripped(body)
    try takeBody(body)
  }

  /// Checks that skipping accepts the same items as reading, and that each item has only one encoding.
  private static func takeItems(_ bytes: [UInt8]) throws(Violation) {
    var (skipping, reading) = (CBORReader(bytes.span), CBORReader(bytes.span))
    while !skipping.isAtEnd {
      let range = try? skipping.skip()
      let value = try? reading.value()
      try demand((range == nil) == (value == nil), "the same items can be skipped and read")
      guard let range, let value else { return }
      try demand(CBORValue.encode(value) == Array(bytes[range]), "an item has only one encoding")
    }
  }

  private static func takeTrust(_ body: [UInt8]) throws(Violation) {
    let trust = (try? TrustVerb.decode(body.span)) ?? nil
    let marker = (try? RunMarker.decode(body.span)) ?? nil
    switch JournalBody(body.span) {
    case .trust(let judged):
      try demand(judged == trust, "a trust verb is classified as it is decoded")
    case .marker(let judged):
      try demand(judged == marker, "a marker is classified as it is decoded")
    case .domain, .observation, .unread:
      try demand(trust == nil && marker == nil, "trust verbs and markers are classified as such")
    }
    if let trust = (try? TrustVerb.decode(body.span)) ?? nil {
      let again = (try? TrustVerb.decode(trust.encode().span)) ?? nil
      try demand(again == trust, "a trust verb is read back unchanged")
    }
    if let marker = (try? RunMarker.decode(body.span)) ?? nil {
      let again = (try? RunMarker.decode(marker.encode().span)) ?? nil
      try demand(again == marker, "a marker is read back unchanged")
    }
  }

  private static func takeStripped(_ bytes: [UInt8]) throws(Violation) {
    var reader = CBORReader(bytes.span)
    guard let body = try? StrippedBody.decode(&reader) else { return }
    let encoded = body.encode()
    var second = CBORReader(encoded.span)
    let again = try? StrippedBody.decode(&second)
    try demand(again == body && second.isAtEnd, "a stripped body is read back unchanged")
  }

  private static func decode(_ bytes: [UInt8]) -> Body? {
    let body = try? Body.decode(bytes.span, author: 0) { index in
      index < table ? UInt32(index) + 1 : nil
    }
    return body ?? nil
  }

  private static func takeBody(_ bytes: [UInt8]) throws(Violation) {
    guard let body = decode(bytes) else { return }
    let encoded = body.encode { log in log == 0 ? nil : UInt64(log) - 1 }
    try demand(encoded == bytes, "a body has only one encoding")
    try fold(body)
  }

  /// Folds adds of several kinds, the body after them in the same log, and the body in another log, in two orders of
  /// arrival.
  private static func fold(_ body: Body) throws(Violation) {
    let kinds: [Kind] = [.todo, .question, .choice, .birthday]
    var facts = kinds.enumerated().map { place, kind in
      fact(
        log: 0, UInt64(place + 1), Body(.add, .kind(kind), [Write(Field(rawValue: 5), .text("a"))]))
    }
    facts.append(fact(log: 0, 5, body))
    facts.append(fact(log: 1, 1, body))
    let straight = Records.fold(facts, causality: causality)
    var records = Records(causality: causality)
    for fact in facts.reversed() + facts { _ = records.apply(fact) }
    try demand(
      records.digest() == straight.digest(), "the order of events does not change the digest")
    try demand(
      kinds.map(records.documents) == kinds.map(straight.documents),
      "the order of events does not change the documents"
    )
  }

  private static func fact(log: UInt32, _ sequence: UInt64, _ body: Body) -> Fact {
    Fact(
      key: EventKey(log: log, sequence: sequence), time: Int64(sequence), when: nil,
      hash: UniqueID(high: UInt64(log) + 1, low: sequence), body: body)
  }

  private static let causality: Causality = {
    var causality = Causality()
    for log in 0...table {
      let id = UniqueID(high: 9, low: log)
      _ = causality.number(of: id, replica: id)
    }
    return causality
  }()
}
