import Bytes
import Platform
import Sealing
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// Machines of one book, all admitted, that share a sealed folder.
struct SealedOffice {
  static let folder = MountedDisk.stick(0) / "sealed"

  let office: Office
  let books: [Book]

  /// All machines have synced with the folder.
  init(_ names: String..., seed: UInt64) throws { try self.init(of: names, seed: seed) }

  init(of names: [String], seed: UInt64) throws {
    (office, books) = try TrustingTests.office(of: names, seed: seed)
    try office.places[0].machine.disk.makeDirectories(Self.folder)
    // The machines flush the roots of their own disks only.
    try office.stick.flushDirectory(Path("/"))
    for book in books {
      _ = try SealedPeerFounder(book.replicator).add(
        "sealed", in: .folder(Self.folder), forcing: false)
    }
    for book in books + books { try sync(book) }
  }

  /// Syncs with the sealed folder.
  @discardableResult
  func sync(_ book: Book, with store: StoreAddress? = nil) throws -> Receipt {
    for place in office.places { place.simulated.timekeeper.advance(milliseconds: 10) }
    return try book.replicator.sync(with: store.map { .store($0) } ?? .directory(Self.folder))
  }

  /// The objects of the store, by their names.
  var objects: [String: [UInt8]] { Self.objects(on: office.stick) }

  static func objects(on stick: SimulatedDisk) -> [String: [UInt8]] {
    var objects: [String: [UInt8]] = [:]
    for (path, bytes) in stick.files where path.names(below: folder)?.count == 2 {
      objects[path.name] = bytes
    }
    return objects
  }

  /// The names of the objects of one kind, for example `e-`.
  func names(_ kind: String) -> [String] {
    objects.keys.filter { $0.hasPrefix(kind) }.sorted()
  }

  var address: StoreAddress {
    get throws {
      let addresses = try books[0].contactBook.contacts().compactMap(\.address)
      return try #require(
        addresses.lazy.compactMap { if case .store(let address) = $0 { address } else { nil } }
          .first)
    }
  }

  func path(_ name: String) throws -> Path { try address.location / name }

  var disk: any Disk { office.places[0].machine.disk }

  /// The ids of the keys with which the objects are sealed that a book can open.
  func keys(openedBy book: Book) throws -> Set<UniqueID> {
    let ring = try book.storeKeys.ring()
    var keys: Set<UniqueID> = []
    for name in names("e-") {
      guard case .events(let sealed) = try ObjectName(parsing: name) else { continue }
      if let opened = try? ring.open(sealed) { keys.insert(opened.key.id) }
    }
    return keys
  }
}
