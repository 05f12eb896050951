import Bytes
import TestDice
import Testing

struct CBORValueTests {
  @Test func `CBOR value: the keys of a map are sorted by their bytes`() {
    let value = CBORValue.pairs(
      (.boolean(false), .null), (.array([.negative(0)]), .null), (.text("aa"), .null),
      (.text("z"), .null), (.negative(0), .null), (.unsigned(100), .null), (.unsigned(10), .null))
    #expect(
      Hex.encode(CBORValue.encode(value)) == "a70af61864f620f6617af6626161f68120f6f4f6")
  }

  @Test func `CBOR value: values are equal if their bytes are equal`() {
    #expect(CBORValue.float(.nan) == .float(-.nan))
    #expect(CBORValue.float(0) != .float(-0.0))
    #expect(CBORValue.text("\u{e9}") != .text("e\u{301}"))
    #expect(CBORValue.unsigned(0) != .negative(0))
    #expect(CBORValue.null != .undefined)
  }

  @Test func `CBOR value: a value that cannot be encoded deterministically traps`() async {
    await #expect(processExitsWith: .failure) { _ = CBORValue.encode(.simple(24)) }
    await #expect(processExitsWith: .failure) {
      _ = CBORValue.encode(.tagged(2, .bytes([1])))
    }
    await #expect(processExitsWith: .failure) {
      let pair = CBORValue.Pair(key: .null, value: .null)
      _ = CBORValue.encode(.map([pair, pair]))
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `CBOR value: random values decode to the encoded values`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    for _ in 0..<500 {
      let bytes = CBORValue.encode(randomValue(depth: 0, using: &dice))
      let value = try CBORValue.decode(bytes.span)
      #expect(CBORValue.encode(value) == bytes)
      #expect(try CBORValue.decode(bytes.span) == value)
      try skipAll(bytes)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `CBOR value: damaged bytes are refused or encode a different value`(seed: UInt64) {
    var dice = Dice(seed: seed)
    for _ in 0..<500 {
      var bytes = CBORValue.encode(randomValue(depth: 0, using: &dice))
      let place = Int.random(in: 0..<bytes.count, using: &dice)
      bytes[place] = UInt8.random(in: 0...255, using: &dice)
      let damaged = bytes
      let read = Result { () throws(CBORError) in try CBORValue.decode(damaged.span) }
      let skipped = Result { () throws(CBORError) in try skipAll(damaged) }
      switch (read, skipped) {
      case (.success(let value), .success): #expect(CBORValue.encode(value) == damaged)
      case (.failure(let left), .failure(let right)): #expect(left == right)
      default: Issue.record("\(Hex.encode(damaged)) is taken by one only")
      }
    }
  }
}

private func randomValue(depth: Int, using dice: inout Dice) -> CBORValue {
  let shift = UInt64.random(in: 0..<64, using: &dice)
  let number = UInt64.random(in: 0...(.max), using: &dice) >> shift
  switch Int.random(in: 0..<(depth < 4 ? 12 : 9), using: &dice) {
  case 0: return .unsigned(number)
  case 1: return .negative(number)
  case 2: return .bytes((0..<number % 40).map { _ in UInt8.random(in: 0...255, using: &dice) })
  case 3: return .text((0..<number % 40).map { ["a", "ü", "水", "𐅑"][Int($0 % 4)] }.joined())
  case 4: return .boolean(number.isMultiple(of: 2))
  case 5: return number.isMultiple(of: 2) ? .null : .undefined
  case 6: return .simple(UInt8(number % 200) + 32)
  case 7: return .float(Double(bitPattern: number))
  case 8: return .float(Double(Float16(bitPattern: UInt16(truncatingIfNeeded: number))))
  case 9: return .tagged(number | 4, randomValue(depth: depth + 1, using: &dice))
  case 10:
    return .array((0..<number % 6).map { _ in randomValue(depth: depth + 1, using: &dice) })
  default:
    var pairs: [CBORValue.Pair] = []
    for _ in 0..<number % 6 {
      let key = randomValue(depth: depth + 1, using: &dice)
      guard !pairs.contains(where: { CBORValue.encode($0.key) == CBORValue.encode(key) }) else {
        continue
      }
      pairs.append(CBORValue.Pair(key: key, value: randomValue(depth: depth + 1, using: &dice)))
    }
    return .map(pairs)
  }
}
