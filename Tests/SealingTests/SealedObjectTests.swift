import Bytes
import Crypto
import Sealing
import Testing

struct SealedObjectTests {
  private static func open(
    _ bytes: [UInt8], as named: NamedObject? = nil, in store: StoreIdentity = Sample.store,
    with key: StoreKey = Sample.key
  ) throws(SealedObjectError) -> [UInt8] {
    // The digest of whatever was received, so that the checks after that of the digest are reached.
    let digest = SHA256.digest(of: bytes).prefix16
    let found = named ?? NamedObject(range: Sample.range, digest: digest)
    return try SealedObject.open(bytes, as: found, in: store, with: key)
  }

  private static func fault(_ bytes: [UInt8]) -> SealedObjectError? {
    SealingTests.fault { () throws(SealedObjectError) in try open(bytes) }
  }

  /// All small sizes, those beside each padded size, and some between them.
  private static let sizes: [Int] = {
    var sizes = Set(0...600)
    var padded = 256
    while padded < 70_100 {
      let next = SealedObjectSizes.padded(padded + 1)
      for size in [padded - 5, padded - 4, padded - 3, (padded + next) / 2] { sizes.insert(size) }
      padded = next
    }
    return sizes.filter { $0 <= 70_000 }.sorted() + [70_000]
  }()

  @Test func `Sealed object: frames of all sizes are returned as they were`() throws {
    let frames = Sample.frames(70_000)
    for size in Self.sizes {
      let part = Array(frames.prefix(size))
      let object = Sample.sealed(part)
      #expect(object.bytes.count == 88 + SealedObjectSizes.padded(size + 4), "\(size)")
      let named = try object.name.open(with: Sample.key)
      let isEqual = try Self.open(object.bytes, as: named) == part
      #expect(isEqual, "\(size)")
    }
  }

  @Test(arguments: [(0, 344), (120, 344), (252, 344), (253, 360), (4_000, 4_184), (65_536, 67_672)])
  func `Sealed object: its size depends only on the padded size`(frames: Int, object: Int) {
    #expect(Sample.sealed(Sample.frames(frames)).bytes.count == object)
    #expect(
      Sample.sealed([UInt8](repeating: 0, count: frames)).bytes.count == object)
  }

  @Test func `Sealed object: the largest content is within the limit`() throws {
    let frames = [UInt8](repeating: 1, count: SealedObject.contentLimit)
    let object = Sample.sealed(frames)
    #expect(object.bytes.count == SealedObject.byteLimit)
    let isEqual = try Self.open(object.bytes) == frames
    #expect(isEqual)
  }

  @Test func `Sealed object: equal frames give equal objects, and any difference another one`() {
    let frames = Sample.frames(100)
    var range = Sample.range
    range.hash = UniqueID(high: 0, low: 0)
    let otherStore = StoreIdentity(book: Sample.store.book, store: Sample.store.book)
    let objects = [
      Sample.sealed(frames),
      Sample.sealed(frames + [0]),
      SealedObject(sealing: frames, of: range, in: Sample.store, with: Sample.key),
      SealedObject(sealing: frames, of: Sample.range, in: otherStore, with: Sample.key),
      SealedObject(sealing: frames, of: Sample.range, in: Sample.store, with: Sample.otherKey),
    ]
    #expect(Sample.sealed(frames) == objects[0])
    #expect(Set(objects.map(\.name)).count == objects.count)
    // The salts, from which the nonces are derived.
    #expect(Set(objects.map { Array($0.bytes[24..<56]) }).count == objects.count)
  }

  /// The error for a bit of an object, if its name fits.
  private static func expected(_ bit: Int) -> (SealedObjectError?) -> Bool {
    switch bit / 8 {
    case 0..<8: { $0 == .magic }
    case 8..<24: { if case .key = $0 { true } else { false } }
    case 24..<72: { $0 == .commitment }
    default: { $0 == .tag }
    }
  }

  @Test(arguments: [0, 120, 300])
  func `Sealed object: every flipped bit is refused, at the check that protects it`(size: Int) {
    let object = Sample.sealed(Sample.frames(size))
    for bit in 0..<object.bytes.count * 8 {
      var other = object.bytes
      other[bit / 8] ^= 1 << (bit % 8)
      #expect(Self.expected(bit)(Self.fault(other)), "bit \(bit)")
    }
  }

  @Test func `Sealed object: bytes that differ from the name are refused first`() throws {
    let object = Sample.sealed(Sample.frames(10))
    let named = try object.name.open(with: Sample.key)
    for bytes in [[], Array(object.bytes.dropLast()), object.bytes + [0]] {
      let found = SealingTests.fault { () throws(SealedObjectError) in
        try Self.open(bytes, as: named)
      }
      #expect(found == .digest)
    }
  }

  @Test(arguments: [0, 8, 87, 343, 345, 351, 353])
  func `Sealed object: a size that no object has is refused`(count: Int) {
    let bytes = Array((Sample.sealed(Sample.frames(256)).bytes).prefix(count))
    let padded = bytes + [UInt8](repeating: 0, count: count - bytes.count)
    #expect(Self.fault(padded) == .size(count))
  }

  @Test func `Sealed object: another key, store or range does not open it`() throws {
    let object = Sample.sealed(Sample.frames(10))
    let digest = try object.name.open(with: Sample.key).digest
    var (range, store) = (Sample.range, Sample.store)
    let withKey = SealingTests.fault { () throws(SealedObjectError) in
      try Self.open(object.bytes, with: Sample.otherKey)
    }
    #expect(withKey == .key(Sample.key.id))
    store.store = UniqueID(high: 0, low: 0)
    let inStore = SealingTests.fault { () throws(SealedObjectError) in
      try Self.open(object.bytes, in: store)
    }
    #expect(inStore == .tag)
    range.events = 1...4_712
    let named = NamedObject(range: range, digest: digest)
    let asOther = SealingTests.fault { () throws(SealedObjectError) in
      try Self.open(object.bytes, as: named)
    }
    #expect(asOther == .tag)
  }
}
