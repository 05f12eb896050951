import Bytes
import Sealing
import Testing

struct ObjectNameTests {
  private static func sealed(_ object: NamedObject = Sample.named) -> SealedName {
    SealedName(sealing: object, with: Sample.key)
  }

  private static let id = UniqueID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)

  @Test func `Object name: each kind is parsed from the text that it gives`() throws {
    let names: [ObjectName] = [
      .events(Self.sealed()), .package(Self.id), .knock(Self.id), .bell,
      .loss(SealedName(sealing: Sample.loss, with: Sample.key)),
    ]
    #expect(try names.map { try ObjectName(parsing: $0.text) } == names)
    #expect(names[1].text == "k-0123456789abcdeffedcba9876543210")
    #expect(names[2].text == "p-0123456789abcdeffedcba9876543210")
    #expect(names[3].text == "bell")
    #expect(names[0].text.utf8.count == 2 + 141)
  }

  @Test func `Object name: every text other than that of an object is refused`() {
    let name = ObjectName.events(Self.sealed()).text
    let package = ObjectName.package(Self.id).text
    let faults: [(String, ObjectNameError)] = [
      ("", .kind), ("e", .kind), ("BELL", .kind), ("bell ", .kind),
      ("x-" + name.dropFirst(2), .kind),
      ("E-" + name.dropFirst(2), .kind), ("e-", .length(0)),
      (String(name.dropLast()), .length(140)), (name + "a", .length(142)),
      (name + "=", .length(142)), (name.uppercased().replacing("E-", with: "e-"), .letter),
      ("e-\u{301}" + name.dropFirst(2), .length(143)), ("b\u{301}ell", .kind),
      ("e-\u{301}" + name.dropFirst(4), .letter), ("e\u{301}-" + name.dropFirst(2), .kind),
      ("p-\u{301}" + package.dropFirst(2), .length(34)),
      ("k-\u{301}" + package.dropFirst(4), .letter),
      (name.dropLast(5) + "1aaaa", .letter), (name.dropLast(2) + "é", .letter),
      (package.uppercased().replacing("K-", with: "k-"), .letter),
      (String(package.dropLast()), .length(31)), (package + "0", .length(33)),
      (package.dropLast() + "g", .letter), ("p-" + package.dropFirst(3), .length(31)),
    ]
    for (text, error) in faults {
      let found = fault { () throws(ObjectNameError) in try ObjectName(parsing: text) }
      #expect(found == error, "\(text)")
    }
  }

  @Test func `Sealed name: the unused bit of the last letter must be 0`() throws {
    let text = ObjectName.events(Self.sealed()).text
    let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
    let last = try #require(text.last.flatMap { letters.firstIndex(of: $0) })
    #expect(last % 2 == 0)
    for (value, letter) in letters.enumerated() where value % 2 == 1 {
      let other = String(text.dropLast()) + String(letter)
      let found = fault { () throws(ObjectNameError) in try ObjectName(parsing: other) }
      #expect(found == .unusedBits)
    }
  }

  @Test func `Sealed name: the holder of the key reads what was sealed`() throws {
    let limit = UInt64(1) << 62 - 1
    for events in [1...1, 1...limit, limit...limit, 17...4_711] {
      var object = Sample.named
      object.range.events = events
      #expect(try Self.sealed(object).open(with: Sample.key) == object)
    }
  }

  @Test func `Sealed name: impossible ranges are refused although the key is right`() {
    for events in [0...1, 1...UInt64(1) << 62, 0...0] {
      var object = Sample.named
      object.range.events = events
      let name = Self.sealed(object)
      let found = fault { () throws(ObjectNameError) in try name.open(with: Sample.key) }
      #expect(found == .range)
    }
  }

  @Test func `Sealed name: a stated loss is read back, and is no name of events`() throws {
    let name = SealedName(sealing: Sample.loss, with: Sample.key)
    #expect(try name.openLoss(with: Sample.key) == Sample.loss)
    for (own, other) in [
      (ObjectName.loss(name), "e-"), (.events(Self.sealed()), "l-"),
    ] {
      let text = other + own.text.dropFirst(2)
      let found = fault { () throws(ObjectNameError) in
        switch try ObjectName(parsing: text) {
        case .events(let name): _ = try name.open(with: Sample.key)
        case .loss(let name): _ = try name.openLoss(with: Sample.key)
        default: break
        }
      }
      #expect(found == .code)
    }
  }

  @Test func `Sealed name: another key does not open it`() {
    let name = Self.sealed()
    let found = fault { () throws(ObjectNameError) in try name.open(with: Sample.otherKey) }
    #expect(found == .key)
    #expect(name.mayBelong(to: Sample.key) && !name.mayBelong(to: Sample.otherKey))
  }

  @Test(arguments: [1...1, 5...900, UInt64(1)...UInt64(1) << 40])
  func `Sealed name: every flipped bit is refused`(events: ClosedRange<UInt64>) throws {
    var object = Sample.named
    object.range.events = events
    let bytes = Self.sealed(object).bytes
    for bit in 0..<bytes.count * 8 {
      var other = bytes
      other[bit / 8] ^= 1 << (bit % 8)
      let text = "e-" + Base32.encode(other).lowercased()
      guard case .events(let name) = try ObjectName(parsing: text) else { continue }
      let found = fault { () throws(ObjectNameError) in try name.open(with: Sample.key) }
      #expect(found == (bit < 64 ? .key : .code), "bit \(bit)")
    }
  }

  @Test func `Sealed name: equal content has equal names, and any difference another one`() {
    var objects = [Sample.named]
    for place in 0..<5 {
      var object = Sample.named
      switch place {
      case 0: object.range.replica = Self.id
      case 1: object.range.events = 2...4_711
      case 2: object.range.events = 1...4_712
      case 3: object.range.hash = Self.id
      default: object.digest = Self.id
      }
      objects.append(object)
    }
    #expect(Set(objects.map { Self.sealed($0) }).count == objects.count)
    #expect(objects.map { Self.sealed($0) } == objects.map { Self.sealed($0) })
  }
}
