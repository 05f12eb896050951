import Bytes
import Interchange
import TestDice
import Testing

struct HostilePropertyListTests {
  private func fault(_ text: String) -> PropertyListError? {
    fault(Array(text.utf8))
  }

  private func fault(_ bytes: [UInt8]) -> PropertyListError? {
    do throws(PropertyListError) {
      _ = try PropertyList(parsing: bytes)
      return nil
    } catch {
      return error
    }
  }

  private static let deep = 200_000
  private static let tooDeep = PropertyListError.Reason.tooDeep(maximum: 64)

  @Test func `Hostile property list: 200,000 levels are refused in every form`() {
    let arrays = String(repeating: "<array>", count: Self.deep)
    #expect(fault("<plist>\n" + arrays) == PropertyListError(Self.tooDeep, at: 456, line: 2))
    let dictionaries = String(repeating: "<dict><key>a</key>", count: Self.deep)
    #expect(fault("<plist>" + dictionaries)?.reason == Self.tooDeep)
  }

  /// A binary list of these objects, which may refer to each other.
  private func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for word in [objects.count, Int(top), table] {
      bytes += Array(repeating: 0, count: 6) + [UInt8(word >> 8), UInt8(word & 0xff)]
    }
    return bytes
  }

  @Test func `Hostile property list: a binary list that contains itself is refused`() {
    #expect(fault(binary([[0xa1, 0]])) == PropertyListError(Self.tooDeep, at: 8))
    #expect(fault(binary([[0xd1, 1, 0], [0x51, 0x61]]))?.reason == Self.tooDeep)
  }

  @Test func `Hostile property list: a binary list that expands exponentially is refused`() throws {
    // Each array refers twice to the next array, which gives 2 to the power of 60 values.
    let arrays = (1...60).map { [0xa2, UInt8($0), UInt8($0)] }
    let bytes = binary(arrays + [[0xa0]])
    #expect(fault(bytes)?.reason == Self.unpacksTooMuch(bytes))
    let few = try PropertyList(parsing: binary([[0xa2, 1, 1], [0xa2, 2, 2], [0x51, 0x61]]))
    #expect(few == .array(Array(repeating: .array([.string("a"), .string("a")]), count: 2)))
  }

  private static func unpacksTooMuch(_ bytes: [UInt8]) -> PropertyListError.Reason {
    .unpacksTooMuch(maximumBytes: 32 << 20 + 8 * bytes.count)
  }

  @Test func `Hostile property list: a long object referenced very often is refused`() {
    let long = [0x5f, 0x11, 0xc0, 0x00] + Array(repeating: UInt8(0x61), count: 0xc000)
    let data = [0x4f, 0x11, 0xc0, 0x00] + Array(repeating: UInt8(0x61), count: 0xc000)
    let often = [0xaf, 0x11, 0x10, 0x00] + Array(repeating: UInt8(1), count: 0x1000)
    for objects in [
      // A string, data, a dictionary with the string as its value, and a dictionary with the string as its key.
      [often, long], [often, data], [often, [0xd1, 2, 3], [0x51, 0x61], long],
      [often, [0xd1, 2, 3], long, [0x51, 0x61]],
    ] {
      let bytes = binary(objects)
      #expect(fault(bytes)?.reason == Self.unpacksTooMuch(bytes))
    }
  }

  @Test func `Hostile property list: overlapping binary strings are refused`() {
    // Each string begins within the previous string and extends to the end of the objects.
    let count = 40
    let texts = (0..<count).map { place in [0x5f, 0x10, UInt8((count - place - 1) * 3)] }
    let references = (1...count).map { UInt8($0) }
    let bytes = binary([[0xaf, 0x10, UInt8(count)] + references] + texts)
    #expect(fault(bytes)?.reason == .badReference)
  }

  @Test func `Hostile property list: a string of 100 bytes may be referenced 200 times`() throws {
    let references = Array(repeating: UInt8(1), count: 200)
    let text: [UInt8] = [0x5f, 0x10, 100] + Array(repeating: 0x61, count: 100)
    let list = try PropertyList(parsing: binary([[0xaf, 0x10, 200] + references, text]))
    #expect(list.array?.count == 200)
  }

  private static let broken: [(String, PropertyListError.Reason, Int, Int)] = [
    ("<plist><dict><key>a</key></dict></plist>", .unexpected, 25, 1),
    ("<plist><dict><string>a</string></dict></plist>", .unexpected, 13, 1),
    ("<plist>\n<array></dict></plist>", .unexpected, 15, 2),
    ("<plist><array/><array/></plist>", .unexpected, 15, 1),
    ("<plist><array>", .unexpectedEnd, 14, 1),
    ("<plist><array/>", .unexpectedEnd, 15, 1),
    ("<plist></plist>", .unexpected, 7, 1),
    ("<plist><string>a</plist>", .unexpected, 7, 1),
    ("<plist><thing/></plist>", .unknownElement("thing"), 7, 1),
    ("<plist><integer>1x</integer></plist>", .badNumber, 7, 1),
    ("<plist><integer>--1</integer></plist>", .badNumber, 7, 1),
    ("<plist><real>0x10</real></plist>", .badNumber, 7, 1),
    ("<plist><date>2012-02-30T00:00:00Z</date></plist>", .badDate, 7, 1),
    ("<plist><data>A</data></plist>", .badData, 7, 1),
    ("<plist><string>&unknown;</string></plist>", .ownEntities, 7, 1),
    ("<plist><string>&#xD800;</string></plist>", .badText, 7, 1),
    ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>", .ownEntities, 0, 1),
    ("<?xml version='1.0' encoding='UTF-16'?><plist/>", .encoding("utf-16"), 39, 1),
    ("<plist><dict><key>a</key><true/><key>a</key></dict></plist>", .repeatedKey("a"), 32, 1),
    ("<plist>text</plist>", .unexpected, 7, 1),
    ("<plist><true/></plist><plist/>", .unexpected, 22, 1),
    ("a b", .unexpected, 0, 1),
    ("", .unexpectedEnd, 0, 1),
  ]

  @Test(arguments: broken)
  func `Hostile property list: a malformed list is refused with its position`(
    text: String, reason: PropertyListError.Reason, offset: Int, line: Int
  ) {
    #expect(fault(text) == PropertyListError(reason, at: offset, line: line))
  }

  @Test func `Hostile property list: an unknown version or truncated binary list is refused`()
    throws
  {
    #expect(fault("bplist15 and so on") == PropertyListError(.version("15"), at: 6))
    let whole = binary([[0xa1, 1], [0x53, 0x61, 0x62, 0x63]])
    #expect(fault(whole) == nil)
    for length in 6..<whole.count {
      #expect(fault(Array(whole.prefix(length))) != nil)
    }
  }

  @Test func `Hostile property list: a declaration with many encodings is refused immediately`() {
    let names = String(repeating: " encoding='utf-8'", count: 500_000)
    #expect(fault("<?xml\(names)?><plist/>") == PropertyListError(.unexpected, at: 0, line: 1))
  }

  private static let textBytes = ForeignSettings.Limits().fieldBytes

  @Test func `Hostile property list: a string above the limit is refused`() {
    let text = String(repeating: "a", count: Self.textBytes + 1)
    let reason = PropertyListError.Reason.tooLong(maximumBytes: Self.textBytes)
    #expect(fault("<plist><string>\(text)</string></plist>")?.reason == reason)
  }

  @Test func `Hostile property list: random damage is read or refused without a crash`() {
    var dice = Dice(seed: 7)
    let samples = [
      binary([[0xd2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x62], [0xa2, 4, 4], [0x10, 5]]),
      Array("<plist><dict><key>a</key><array><string>&lt;b</string></array></dict></plist>".utf8),
    ]
    var refused = 0
    for _ in 0..<3_000 {
      let place = dice.number(samples.count)
      var bytes = samples[place]
      for _ in 0...dice.number(3) { bytes[dice.number(bytes.count)] = UInt8(dice.number(256)) }
      if fault(bytes) != nil { refused += 1 }
    }
    #expect((1_000..<3_000).contains(refused))
  }
}
