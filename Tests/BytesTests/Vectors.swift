import Bytes
import Testing

/// One row of RFC 8949 Appendix A.
struct Row: Sendable, CustomTestStringConvertible {
  let hex: String
  let value: CBORValue

  init(_ value: CBORValue, _ hex: String) {
    self.hex = hex
    self.value = value
  }

  var testDescription: String { hex }
}

extension CBORValue {
  static func ints(_ numbers: UInt64...) -> CBORValue { .array(numbers.map { .unsigned($0) }) }

  static func pairs(_ pairs: (CBORValue, CBORValue)...) -> CBORValue {
    .map(pairs.map { CBORValue.Pair(key: $0.0, value: $0.1) })
  }
}

/// All rows of RFC 8949 Appendix A, in its order.
enum AppendixA {
  /// The rows in deterministic form.
  static let deterministic: [Row] = integers + floats + others + tagged + strings + containers

  static let integers: [Row] = [
    Row(.unsigned(0), "00"),
    Row(.unsigned(1), "01"),
    Row(.unsigned(10), "0a"),
    Row(.unsigned(23), "17"),
    Row(.unsigned(24), "1818"),
    Row(.unsigned(25), "1819"),
    Row(.unsigned(100), "1864"),
    Row(.unsigned(1000), "1903e8"),
    Row(.unsigned(1_000_000), "1a000f4240"),
    Row(.unsigned(1_000_000_000_000), "1b000000e8d4a51000"),
    Row(.unsigned(18_446_744_073_709_551_615), "1bffffffffffffffff"),
    Row(.tagged(2, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0])), "c249010000000000000000"),
    Row(.negative(18_446_744_073_709_551_615), "3bffffffffffffffff"),
    Row(.tagged(3, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0])), "c349010000000000000000"),
    Row(.negative(0), "20"),
    Row(.negative(9), "29"),
    Row(.negative(99), "3863"),
    Row(.negative(999), "3903e7"),
  ]

  static let floats: [Row] = [
    Row(.float(0.0), "f90000"),
    Row(.float(-0.0), "f98000"),
    Row(.float(1.0), "f93c00"),
    Row(.float(1.1), "fb3ff199999999999a"),
    Row(.float(1.5), "f93e00"),
    Row(.float(65504.0), "f97bff"),
    Row(.float(100000.0), "fa47c35000"),
    Row(.float(3.4028234663852886e+38), "fa7f7fffff"),
    Row(.float(1.0e+300), "fb7e37e43c8800759c"),
    Row(.float(5.960464477539063e-8), "f90001"),
    Row(.float(0.00006103515625), "f90400"),
    Row(.float(-4.0), "f9c400"),
    Row(.float(-4.1), "fbc010666666666666"),
    Row(.float(.infinity), "f97c00"),
    Row(.float(.nan), "f97e00"),
    Row(.float(-.infinity), "f9fc00"),
  ]

  static let others: [Row] = [
    Row(.boolean(false), "f4"),
    Row(.boolean(true), "f5"),
    Row(.null, "f6"),
    Row(.undefined, "f7"),
    Row(.simple(16), "f0"),
    Row(.simple(255), "f8ff"),
  ]

  static let tagged: [Row] = [
    Row(
      .tagged(0, .text("2013-03-21T20:04:00Z")),
      "c074323031332d30332d32315432303a30343a30305a"),
    Row(.tagged(1, .unsigned(1_363_896_240)), "c11a514b67b0"),
    Row(.tagged(1, .float(1363896240.5)), "c1fb41d452d9ec200000"),
    Row(.tagged(23, .bytes([1, 2, 3, 4])), "d74401020304"),
    Row(.tagged(24, .bytes([0x64, 0x49, 0x45, 0x54, 0x46])), "d818456449455446"),
    Row(
      .tagged(32, .text("http://www.example.com")),
      "d82076687474703a2f2f7777772e6578616d706c652e636f6d"),
  ]

  static let strings: [Row] = [
    Row(.bytes([]), "40"),
    Row(.bytes([1, 2, 3, 4]), "4401020304"),
    Row(.text(""), "60"),
    Row(.text("a"), "6161"),
    Row(.text("IETF"), "6449455446"),
    Row(.text("\"\\"), "62225c"),
    Row(.text("\u{fc}"), "62c3bc"),
    Row(.text("\u{6c34}"), "63e6b0b4"),
    Row(.text("\u{10151}"), "64f0908591"),
  ]

  static let containers: [Row] = [
    Row(.array([]), "80"),
    Row(.ints(1, 2, 3), "83010203"),
    Row(.array([.unsigned(1), .ints(2, 3), .ints(4, 5)]), "8301820203820405"),
    Row(
      .array((1...25).map { .unsigned($0) }),
      "98190102030405060708090a0b0c0d0e0f101112131415161718181819"),
    Row(.map([]), "a0"),
    Row(.pairs((.unsigned(1), .unsigned(2)), (.unsigned(3), .unsigned(4))), "a201020304"),
    Row(.pairs((.text("a"), .unsigned(1)), (.text("b"), .ints(2, 3))), "a26161016162820203"),
    Row(.array([.text("a"), .pairs((.text("b"), .text("c")))]), "826161a161626163"),
    Row(
      .pairs(
        (.text("a"), .text("A")), (.text("b"), .text("B")), (.text("c"), .text("C")),
        (.text("d"), .text("D")), (.text("e"), .text("E"))),
      "a56161614161626142616361436164614461656145"),
  ]

  /// The rows in encodings that are longer than necessary, and the error for each.
  static let otherwise: [(hex: String, error: CBORError)] = [
    ("fa7f800000", .notShortest(at: 0)),
    ("fa7fc00000", .notShortest(at: 0)),
    ("faff800000", .notShortest(at: 0)),
    ("fb7ff0000000000000", .notShortest(at: 0)),
    ("fb7ff8000000000000", .notShortest(at: 0)),
    ("fbfff0000000000000", .notShortest(at: 0)),
    ("5f42010243030405ff", .indefinite(at: 0)),
    ("7f657374726561646d696e67ff", .indefinite(at: 0)),
    ("9fff", .indefinite(at: 0)),
    ("9f018202039f0405ffff", .indefinite(at: 0)),
    ("9f01820203820405ff", .indefinite(at: 0)),
    ("83018202039f0405ff", .indefinite(at: 5)),
    ("83019f0203ff820405", .indefinite(at: 2)),
    ("9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff", .indefinite(at: 0)),
    ("bf61610161629f0203ffff", .indefinite(at: 0)),
    ("826161bf61626163ff", .indefinite(at: 3)),
    ("bf6346756ef563416d7421ff", .indefinite(at: 0)),
  ]
}
