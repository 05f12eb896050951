import Bytes
import Crypto
import Journaling
import Platform
import Sealing

extension ObjectMemory {
  /// The version of the checks, which is increased when they change, so that all objects are read again.
  private static let version: UInt64 = 3

  /// The content of the file that remembers the objects of the store at the given path.
  ///
  /// An object is omitted if its head was not checked with the key of its replica.
  func encoded(for store: Path) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(6)
    writer.unsigned(Self.version)
    writer.text(store.string)
    writer.integer(began)
    let folders = folders.sorted { $0.key < $1.key }
    writer.arrayHeader(folders.count * 4)
    for (folder, memory) in folders {
      writer.uniqueID(folder.replica)
      writer.text(folder.path.string)
      memory.encode(to: &writer)
    }
    writer.arrayHeader(packages.count * 2)
    for (id, facts) in packages.sorted(by: { $0.key < $1.key }) {
      writer.uniqueID(id)
      facts.encode(to: &writer)
    }
    writer.arrayHeader(untrustedMakers.count)
    for maker in untrustedMakers.sorted() { writer.byteString(maker.bytes) }
    return writer.bytes + SHA256.digest(of: writer.bytes).bytes
  }

  /// Reads the file; nil if it is damaged, or was written for another store or by another version.
  init?(decoding file: [UInt8], for store: Path) {
    let content = Array(file.dropLast(32))
    guard file.count > 32, SHA256.digest(of: content).bytes == Array(file.suffix(32)) else {
      return nil
    }
    do throws(CBORError) {
      var reader = CBORReader(content.span)
      guard try reader.arrayHeader() == 6, try reader.unsigned() == Self.version,
        try reader.text() == store.string
      else { return nil }
      self.init(began: try reader.integer())
      for _ in 0..<(try reader.arrayHeader() / 4) {
        let replica = try reader.uniqueID()
        let folder = ReplicaFolder(replica: replica, path: Path(tidy: try reader.text()))
        self[folder] = try FolderMemory.decode(&reader, of: replica)
      }
      for _ in 0..<(try reader.arrayHeader() / 2) {
        let id = try reader.uniqueID()
        packages[id] = try PackageFacts.decode(&reader)
      }
      for _ in 0..<(try reader.arrayHeader()) {
        untrustedMakers.insert(try reader.publicKey())
      }
      try reader.finish()
    } catch {
      return nil
    }
  }
}

extension FolderMemory {
  fileprivate func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(reached.count * 2)
    for place in reached {
      writer.unsigned(place.sequence)
      writer.digest(place.hash)
    }
    let proved = objects.filter(\.value.isProved).sorted { $0.key < $1.key }
    writer.arrayHeader(proved.count * 2)
    for (file, facts) in proved {
      writer.text(file)
      facts.encode(to: &writer)
    }
  }

  fileprivate static func decode(
    _ reader: inout CBORReader, of replica: UniqueID
  ) throws(CBORError) -> FolderMemory {
    var memory = FolderMemory()
    for _ in 0..<(try reader.arrayHeader() / 2) {
      memory.reached.append(
        Place(log: replica, sequence: try reader.unsigned(), hash: try reader.digest()))
    }
    for _ in 0..<(try reader.arrayHeader() / 2) {
      let file = try reader.text()
      memory.objects[file] = try ObjectFacts.decode(&reader)
    }
    return memory
  }
}

extension ObjectFacts {
  fileprivate func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(10)
    writer.unsigned(UInt64(stamp.size))
    writer.integer(stamp.modified)
    if let changed = stamp.changed { writer.integer(changed) } else { writer.null() }
    writer.digest(before)
    writer.digest(end)
    writer.boolean(isStripped)
    writer.byteString(blocks.flatMap(\.bigEndianBytes))
    writer.boolean(isHeld)
    writer.arrayHeader(hashes.count * 2)
    for (sequence, hash) in hashes.sorted(by: { $0.key < $1.key }) {
      writer.unsigned(sequence)
      writer.digest(hash)
    }
    if let erasure { erasure.encode(to: &writer) } else { writer.null() }
  }

  fileprivate static func decode(_ reader: inout CBORReader) throws(CBORError) -> ObjectFacts {
    guard try reader.arrayHeader() == 10 else {
      throw .wrongLength(expected: 10, at: reader.offset)
    }
    let stamp = ObjectStamp(
      size: Int(clamping: try reader.unsigned()), modified: try reader.integer(),
      changed: try reader.isNull() ? nil : try reader.integer())
    let (before, end) = (try reader.digest(), try reader.digest())
    let isStripped = try reader.boolean()
    let blocks = [UInt32](bigEndian: try reader.byteString())
    guard blocks.count == RememberedBlock.count(in: stamp.size) else {
      throw .outOfRange(at: reader.offset)
    }
    var facts = ObjectFacts(
      stamp: stamp, before: before, end: end, isStripped: isStripped, blocks: blocks,
      isProved: true)
    facts.isHeld = try reader.boolean()
    for _ in 0..<(try reader.arrayHeader() / 2) {
      let sequence = try reader.unsigned()
      facts.hashes[sequence] = try reader.digest()
    }
    if try !reader.isNull() { facts.erasure = try ErasureFacts.decode(&reader) }
    return facts
  }
}

extension ErasureFacts {
  fileprivate func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(3)
    writer.uniqueID(state)
    if let verdict { writer.unsigned(UInt64(verdict.rawValue)) } else { writer.null() }
    if let lacksBodies { writer.boolean(lacksBodies) } else { writer.null() }
  }

  fileprivate static func decode(_ reader: inout CBORReader) throws(CBORError) -> ErasureFacts {
    guard try reader.arrayHeader() == 3 else { throw .wrongLength(expected: 3, at: reader.offset) }
    var facts = ErasureFacts(state: try reader.uniqueID())
    if try !reader.isNull() {
      facts.verdict = Verdict(rawValue: UInt8(clamping: try reader.unsigned()))
    }
    if try !reader.isNull() { facts.lacksBodies = try reader.boolean() }
    return facts
  }
}

extension PackageFacts {
  fileprivate func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(2 + recipients.count)
    writer.uniqueID(key)
    writer.byteString(packager.bytes)
    for recipient in recipients { writer.uniqueID(recipient) }
  }

  fileprivate static func decode(_ reader: inout CBORReader) throws(CBORError) -> PackageFacts {
    let start = reader.offset
    let count = try reader.arrayHeader()
    guard count > 1 else { throw .outOfRange(at: start) }
    let key = try reader.uniqueID()
    let packager = try reader.publicKey()
    var recipients: [UniqueID] = []
    for _ in 2..<count { recipients.append(try reader.uniqueID()) }
    return PackageFacts(key: key, packager: packager, recipients: recipients)
  }
}

extension CBORReader {
  @_lifetime(self: copy self)
  fileprivate mutating func publicKey() throws(CBORError) -> PublicKey {
    let start = offset
    let bytes = try byteString(count: PublicKey.byteCount)
    do throws(CryptoError) { return try PublicKey(bytes) } catch { throw .outOfRange(at: start) }
  }

  /// Reads a null if it is the next item.
  @_lifetime(self: copy self)
  fileprivate mutating func isNull() throws(CBORError) -> Bool {
    guard try peek() == .null else { return false }
    try null()
    return true
  }
}

extension [UInt32] {
  fileprivate init(bigEndian bytes: [UInt8]) {
    self = stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<Swift.min(start + 4, bytes.count)].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
