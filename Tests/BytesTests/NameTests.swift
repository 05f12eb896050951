import Bytes
import Testing

struct NameTests {
  static let ascending: [UInt8] = (0..<32).map { $0 * 8 }

  @Test func `Hex: bytes are encoded and decoded`() {
    let all = [UInt8](0...255)
    #expect(Hex.encode([0x00, 0x9f, 0xa0, 0xff]) == "009fa0ff")
    #expect(Hex.decode(Hex.encode(all)) == all)
    #expect(Hex.decode("") == [])
  }

  @Test(arguments: ["0", "0g", "AB", "0 ", "+1", "é", "/0", ":0", "`0"])
  func `Hex: text other than lowercase pairs of digits is refused`(text: String) {
    #expect(Hex.decode(text) == nil)
  }

  @Test func `Digest: it keeps its bytes through every representation`() {
    let digest = Digest(Self.ascending)
    #expect(digest.bytes == Self.ascending)
    #expect(digest.hex == Hex.encode(Self.ascending))
    #expect(Digest(hex: digest.hex) == digest)
    #expect(digest.prefix16.bytes == Array(Self.ascending.prefix(16)))
    #expect(Digest(Self.ascending.span) == digest)
  }

  @Test func `Digest: it is copied from bytes only if there are enough of them`() {
    let bytes = [7] + Self.ascending
    #expect(Digest(copying: bytes.span, at: 1) == Digest(Self.ascending))
    #expect(Digest(copying: bytes.span, at: 2) == nil)
    #expect(Digest(copying: bytes.span, at: -1) == nil)
    #expect(Digest(copying: bytes.span, at: .max) == nil)
    #expect(UniqueID(copying: bytes.span, at: 17)?.bytes == Array(Self.ascending.suffix(16)))
    #expect(UniqueID(copying: bytes.span, at: 18) == nil)
  }

  @Test func `Id: it keeps its bytes, and text in a wrong format is refused`() {
    let id = UniqueID(high: 0x0011_2233_4455_6677, low: 0x8899_aabb_ccdd_eeff)
    #expect(id.hex == "00112233445566778899aabbccddeeff")
    #expect(UniqueID(hex: id.hex) == id)
    #expect(UniqueID(id.bytes) == id)
    #expect(UniqueID(hex: id.hex.uppercased()) == nil)
    #expect(UniqueID(hex: String(id.hex.dropLast())) == nil)
    #expect(UniqueID(hex: id.hex + "00") == nil)
  }

  @Test(arguments: 0..<32)
  func `Digest and id: they are ordered by their bytes`(place: Int) {
    var larger = Self.ascending
    larger[place] += 1
    if place < 31 { larger[place + 1] = 0 }
    #expect(Digest(Self.ascending) < Digest(larger))
    #expect(!(Digest(larger) < Digest(Self.ascending)))
    guard place < 16 else { return }
    let (left, right) = (Self.ascending.prefix(16), larger.prefix(16))
    #expect(UniqueID(Array(left)) < UniqueID(Array(right)))
  }

  @Test func `Digest and id: the wrong number of bytes traps`() async {
    await #expect(processExitsWith: .failure) { _ = Digest([UInt8](repeating: 0, count: 31)) }
    await #expect(processExitsWith: .failure) { _ = UniqueID([UInt8](repeating: 0, count: 17)) }
  }
}
