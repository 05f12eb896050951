import Bytes
import Crypto
import Journaling

/// Valid and invalid bodies of every verb: all short bodies that consist of a few items, and variants of valid bodies.
struct OddBodies {
  static let id: CBORValue = .bytes([UInt8](repeating: 7, count: 16))
  static let last: UInt64 = 1 << 62 - 1
  private static let landmark: [CBORValue] = [id, .unsigned(3), id]

  private let key: CBORValue
  private let agreement: CBORValue
  let items: [CBORValue]

  init(_ keys: DeviceKeys) {
    key = .bytes(keys.signing.publicKey.bytes)
    agreement = .bytes(keys.agreement.publicKey)
    items = [
      .unsigned(0), .unsigned(1), .unsigned(Self.last), .unsigned(Self.last + 1), .unsigned(.max),
      .negative(0), .null, .text(""), .bytes([]), .bytes([UInt8](repeating: 7, count: 15)), Self.id,
      key, .bytes([1] + [UInt8](repeating: 0, count: 31)),
      .bytes([UInt8](repeating: 0xff, count: 32)), .array([]), .array([.unsigned(1)]),
      .array([.unsigned(0), .unsigned(1)]), .array([.unsigned(0), .unsigned(0)]),
      .array([.array(Self.landmark)]), .array([.array([Self.id, .unsigned(0), Self.id])]),
      .map([]),
    ]
  }

  /// A complete body for each verb that the journal reads.
  private var models: [[CBORValue]] {
    [
      [.unsigned(8), key, agreement, Self.id, .text("desk")],
      [.unsigned(9), key, .text("phone"), .unsigned(2)],
      [.unsigned(10), key, .array([.array(Self.landmark)])],
      [.unsigned(11)] + Self.landmark,
      [.unsigned(12), .array([.unsigned(0), .unsigned(2)]), Self.id],
      [.unsigned(16), key, .unsigned(0)], [.unsigned(17), key, .unsigned(5)],
    ]
  }

  var all: [[CBORValue]] {
    var bodies: [[CBORValue]] = []
    for verb in UInt64(0)...25 {
      bodies.append([.unsigned(verb)])
      for one in items {
        bodies.append([.unsigned(verb), one])
        for two in items { bodies.append([.unsigned(verb), one, two]) }
      }
    }
    return bodies + models.flatMap(changed)
  }

  /// A body and its variants: truncated, extended, and with one or two items replaced.
  private func changed(_ model: [CBORValue]) -> [[CBORValue]] {
    var bodies = [model] + (1..<model.count).map { Array(model.prefix($0)) }
    for place in 1..<model.count {
      for item in items {
        var other = model
        other[place] = item
        bodies += [other, other + [item], model + [item]]
        for second in (place + 1)..<max(place + 1, model.count) {
          other[second] = item
          bodies.append(other)
        }
      }
    }
    return bodies
  }

  /// Variants of an `open` body.
  var openings: [[CBORValue]] { changed(models[0]) }
}

/// A second implementation of section 3.1 of the protocol.
enum OddSense {
  /// Whether a body with a verb from 8 on is valid.
  static func isSense(_ body: [CBORValue]) -> Bool {
    guard case .unsigned(let verb) = body[0] else { return false }
    let items = Array(body.dropFirst())
    switch verb {
    case 8:
      return has(items, [isSigningKey, isAgreementKey, isBytes(16), isText])
    case 9: return has(items, [isSigningKey, isText])
    case 10: return has(items, [isSigningKey, isKept])
    case 11: return has(items, landmark)
    case 12: return has(items, [isReference])
    case 16, 17: return has(items, [isBytes(32), isNumber])
    case 18: return true
    default: return false
    }
  }

  private typealias Form = (CBORValue) -> Bool

  private static var landmark: [Form] { [isBytes(16), isSequence, isBytes(16)] }

  private static func has(_ items: [CBORValue], _ forms: [Form]) -> Bool {
    items.count >= forms.count && zip(items, forms).allSatisfy { item, form in form(item) }
  }

  private static func isBytes(_ count: Int) -> Form {
    { if case .bytes(let bytes) = $0 { bytes.count == count } else { false } }
  }

  /// Three of the keys in these bodies are invalid.
  private static func isSigningKey(_ item: CBORValue) -> Bool {
    guard case .bytes(let bytes) = item, bytes.count == 32 else { return false }
    return bytes[31] != 0xff && bytes[1...] != ArraySlice([UInt8](repeating: 0, count: 31))
  }

  private static func isAgreementKey(_ item: CBORValue) -> Bool {
    guard case .bytes(let bytes) = item else { return false }
    return isSigningKey(item) && bytes[31] < 0x80
  }

  private static func isText(_ item: CBORValue) -> Bool {
    if case .text = item { true } else { false }
  }

  private static func isNumber(_ item: CBORValue) -> Bool {
    if case .unsigned = item { true } else { false }
  }

  private static func isSequence(_ item: CBORValue) -> Bool {
    if case .unsigned(let number) = item { (1...OddBodies.last).contains(number) } else { false }
  }

  private static func isReference(_ item: CBORValue) -> Bool {
    guard case .array(let pair) = item else { return isSequence(item) }
    return pair.count == 2 && isNumber(pair[0]) && isSequence(pair[1])
  }

  private static func isKept(_ item: CBORValue) -> Bool {
    guard case .array(let kept) = item else { return false }
    return kept.allSatisfy { each in
      guard case .array(let items) = each, items.count == 3 else { return false }
      return has(items, landmark)
    }
  }
}
