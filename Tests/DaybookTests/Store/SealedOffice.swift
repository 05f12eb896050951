import Bytes
import Platform
import SimulatedPlatform
import Syncing

@testable import Daybook

/// Machines of one book, all admitted, that share a sealed folder.
struct SealedOffice {
  static let folder = MountedDisk.stick(0) / "sealed"

  let office: Office
  let books: [Book]

  /// Creates the machines; unless `isShared` is false, all have synced with the folder.
  init(_ names: String..., seed: UInt64, isShared: Bool = true) throws {
    (office, books) = try TrustingTests.office(of: names, seed: seed)
    try office.places[0].machine.disk.makeDirectories(Self.folder)
    for book in books {
      _ = try SealedPeerFounder(book.replicator).add("sealed", in: Self.folder, forcing: false)
    }
    guard isShared else { return }
    for book in books + books { try sync(book) }
  }

  /// Syncs with the sealed folder.
  @discardableResult
  func sync(_ book: Book) throws -> Receipt {
    for place in office.places { place.simulated.timekeeper.advance(milliseconds: 10) }
    return try book.replicator.sync(with: .directory(Self.folder))
  }

  /// The objects of the store, by their names.
  var objects: [String: [UInt8]] {
    var objects: [String: [UInt8]] = [:]
    for (path, bytes) in office.stick.files where isObject(path) { objects[path.name] = bytes }
    return objects
  }

  private func isObject(_ path: Path) -> Bool {
    let names = path.names(below: Self.folder) ?? path.names(below: Path("/sealed"))
    return names?.count == 2
  }

  /// The names of the objects of one kind, for example `e-`.
  func names(_ kind: String) -> [String] {
    objects.keys.filter { $0.hasPrefix(kind) }.sorted()
  }

  /// The location of the store.
  func location() throws -> Path {
    let contacts = try books[0].contactBook.contacts()
    return contacts.compactMap { contact in
      guard case .store(let address)? = contact.address else { return nil }
      return address.location
    }[0]
  }

  var disk: any Disk { office.places[0].machine.disk }
}
