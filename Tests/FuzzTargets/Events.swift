import Bytes
import Domain
import Journaling

/// Headers and bodies, and what the fold makes of them.
enum Events {
  /// The logs that the author's table has; its own has the number 0, and the first of these 1.
  private static let table: UInt64 = 3

  static func take(_ bytes: [UInt8]) throws(Violation) {
    try takeItems(bytes)
    var reader = CBORReader(bytes.span)
    guard let header = try? Header.decode(&reader) else { return }
    let encoded = header.encode()
    var second = CBORReader(encoded.span)
    let again = try? Header.decode(&second)
    try demand(again == header && second.isAtEnd, "a header is read as it was written")
    guard let range = try? reader.skip() else { return }
    let body = Array(bytes[range])
    try takeTrust(body)
    try takeStripped(body)
    try takeBody(body)
  }

  /// Whoever passes over items accepts the same as who reads them, and each has one spelling.
  private static func takeItems(_ bytes: [UInt8]) throws(Violation) {
    var (skipping, reading) = (CBORReader(bytes.span), CBORReader(bytes.span))
    while !skipping.isAtEnd {
      let range = try? skipping.skip()
      let value = try? reading.value()
      try demand((range == nil) == (value == nil), "what is skipped can be read")
      guard let range, let value else { return }
      try demand(CBORValue.encode(value) == Array(bytes[range]), "an item has one spelling")
    }
  }

  private static func takeTrust(_ body: [UInt8]) throws(Violation) {
    let trust = (try? TrustVerb.decode(body.span)) ?? nil
    let marker = (try? RunMarker.decode(body.span)) ?? nil
    switch JournalBody(body.span) {
    case .trust(let judged): try demand(judged == trust, "a verb of trust is judged as it is read")
    case .marker(let judged): try demand(judged == marker, "a marker is judged as it is read")
    case .domain, .observation, .unread:
      try demand(trust == nil && marker == nil, "what is read of trust and runs counts")
    }
    if let trust = (try? TrustVerb.decode(body.span)) ?? nil {
      let again = (try? TrustVerb.decode(trust.encode().span)) ?? nil
      try demand(again == trust, "a verb of trust is read as it was written")
    }
    if let marker = (try? RunMarker.decode(body.span)) ?? nil {
      let again = (try? RunMarker.decode(marker.encode().span)) ?? nil
      try demand(again == marker, "a marker is read as it was written")
    }
  }

  private static func takeStripped(_ bytes: [UInt8]) throws(Violation) {
    var reader = CBORReader(bytes.span)
    guard let body = try? StrippedBody.decode(&reader) else { return }
    let encoded = body.encode()
    var second = CBORReader(encoded.span)
    let again = try? StrippedBody.decode(&second)
    try demand(again == body && second.isAtEnd, "a stripped body is read as it was written")
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
    try demand(encoded == bytes, "a body has one spelling")
    try fold(body)
  }

  /// Folds a body behind, before and beside an add of each kind that it may be about.
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
    try demand(records.digest() == straight.digest(), "the order of events does not matter")
    try demand(
      kinds.map(records.documents) == kinds.map(straight.documents), "nor does it for what is shown"
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
