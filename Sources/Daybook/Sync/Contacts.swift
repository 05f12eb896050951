package import Bytes
package import Crypto
import Platform
import S3
import Syncing

/// A remembered peer: a device, a folder, a bucket or a file.
package struct Contact: Sendable {
  /// The name of the peer on this machine.
  package var name: String
  /// The name of the device after which the peer is named; nil if the user has chosen the name.
  var namesake: String?
  /// The address of the peer; nil for a device that has only connected to this device.
  package var address: PeerAddress?
  /// The key that the peer must show, if the peer is a device.
  package var key: PublicKey?
  /// The words of the key that the user expects the peer to show from now on; nil once the peer has shown that key.
  package var expectedWords: [String]?
  /// The time at which a sync with the peer last finished, by the clock of this machine.
  package var synced: Int64?
  /// Identifies the set of events that were held here when that sync finished.
  package var state: UniqueID?
  /// The objects of a sealed store that waited for a key when the store was last listed; nil if there were none.
  package var waiting: WaitingObjects?
  /// Other members of the peer's JSON object, which a later version may have written.
  var others: [JSON.Member] = []

  package init(name: String, address: PeerAddress?, key: PublicKey? = nil, synced: Int64? = nil) {
    (self.name, self.address, self.key, self.synced) = (name, address, key, synced)
  }

  /// Whether the peer is a bundle file.
  ///
  /// A sync only reads the file, so the file does not become a second copy of the events here.
  package var isBundle: Bool { if case .file? = address { true } else { false } }
}

/// Objects of a sealed store that this device could not open, because it did not have their keys.
package struct WaitingObjects: Hashable, Sendable {
  package var count: Int
  /// The time at which the objects were seen, by the clock of this machine, in milliseconds since 1970.
  package var seen: Int64
}

/// The file `contacts`: the peers that this device remembers.
///
/// Its content exists nowhere else, so a file that cannot be parsed is not overwritten.
struct Contacts {
  /// The peers, in the order in which they were met.
  var contacts: [Contact] = []
  /// Other members, which a later version may have written.
  private var others: [JSON.Member] = []

  /// The maximum number of peers.
  static let most = 256

  init() {}

  init(parsing bytes: [UInt8]) throws(ContactsFault) {
    let json: JSON
    do { json = try JSON(parsing: bytes) } catch { throw .notJSON(error) }
    guard let members = json.members, let peers = json["peers"]?.array else { throw .shape }
    for peer in peers { contacts.append(try Contact(json: peer)) }
    guard Set(contacts.map(\.name)).count == contacts.count else { throw .shape }
    others = members.filter { $0.name != "peers" }
  }

  var bytes: [UInt8] {
    let peers = JSON.Member("peers", .array(contacts.map(\.json)))
    return Array((JSON.object([peers] + others).text(indented: true) + "\n").utf8)
  }

  func index(of name: String) -> Int? { contacts.firstIndex { $0.name == name } }

  /// Remembers a device by its key, under its name or a similar free name.
  mutating func meet(_ key: PublicKey, called name: String, at address: PeerAddress?, now: Int64) {
    if let place = contacts.firstIndex(where: { $0.key == key }) {
      if let address { contacts[place].address = address }
      contacts[place].synced = now
      return
    }
    guard contacts.count < Self.most else { return }
    var contact = Contact(name: free(name), address: address, key: key, synced: now)
    contact.namesake = name
    contacts.append(contact)
  }

  /// Changes the name of a peer to the current name of its device, unless the user has chosen its name.
  mutating func follow(_ name: String, at place: Int) {
    guard let namesake = contacts[place].namesake, namesake != name else { return }
    contacts[place].name = ""
    contacts[place].name = free(name)
    contacts[place].namesake = name
  }

  /// A free name that is similar to the given name.
  func free(_ name: String) -> String {
    // A slash would make the name look like a path.
    let plain = name.map { $0 == "/" ? "-" : String($0) }.joined()
    return plain.made(freeFrom: Set(contacts.map(\.name)))
  }
}

/// The reason why the file of contacts cannot be read.
package enum ContactsFault: Error, Hashable, Sendable {
  case notJSON(JSONError)
  case shape
}

extension Contact {
  fileprivate static let known: Set<String> = [
    "name", "after", "tcp", "ssh", "folder", "file", "sealed", "s3", "endpoint", "region", "paths",
    "store", "book", "key", "words", "synced", "state", "waiting",
  ]

  fileprivate init(json: JSON) throws(ContactsFault) {
    guard let members = json.members, let name = json["name"]?.string, !name.isEmpty else {
      throw .shape
    }
    var address: PeerAddress?
    if let text = json["tcp"]?.string {
      guard let endpoint = Endpoint(text) else { throw .shape }
      address = .tcp(host: endpoint.host, port: endpoint.port)
    } else if let text = json["ssh"]?.string {
      guard let place = SSHAddress(text) else { throw .shape }
      address = .ssh(place)
    } else if json["sealed"]?.string != nil || json["s3"]?.string != nil {
      guard let place = StorePlace(json: json),
        let store = json["store"]?.string.flatMap(UniqueID.init(hex:)),
        let book = json["book"]?.string.flatMap(UniqueID.init(hex:))
      else { throw .shape }
      address = .store(StoreAddress(in: place, store: store, book: book))
    } else if let path = json["folder"]?.string {
      address = .directory(Path(path))
    } else if let path = json["file"]?.string {
      address = .file(Path(path))
    }
    var key: PublicKey?
    if let hex = json["key"]?.string {
      guard let read = PublicKey(hex: hex) else { throw .shape }
      key = read
    }
    self.init(name: name, address: address, key: key, synced: json["synced"]?.integer)
    if let words = json["words"]?.string {
      expectedWords = words.split(separator: "-").map(String.init)
    }
    state = json["state"]?.string.flatMap { UniqueID(hex: $0) }
    if let objects = json["waiting"]?["objects"]?.integer,
      let count = Int(exactly: objects), let seen = json["waiting"]?["seen"]?.integer
    {
      waiting = WaitingObjects(count: count, seen: seen)
    }
    namesake = json["after"]?.string
    others = members.filter { !Self.known.contains($0.name) }
  }

  fileprivate var json: JSON {
    var members = [JSON.Member("name", .string(name))]
    if let namesake { members.append(JSON.Member("after", .string(namesake))) }
    switch address {
    case .tcp(let host, let port)?:
      members.append(JSON.Member("tcp", .string(Endpoint(host: host, port: port).text)))
    case .ssh(let address)?: members.append(JSON.Member("ssh", .string(address.text)))
    case .directory(let path)?: members.append(JSON.Member("folder", .string(path.string)))
    case .store(let address)?:
      members += address.place.members
      members.append(JSON.Member("store", .string(address.store.hex)))
      members.append(JSON.Member("book", .string(address.book.hex)))
    case .file(let path)?: members.append(JSON.Member("file", .string(path.string)))
    case nil: break
    }
    if let key { members.append(JSON.Member("key", .string(key.hex))) }
    if let expectedWords {
      members.append(JSON.Member("words", .string(expectedWords.joined(separator: "-"))))
    }
    if let synced { members.append(JSON.Member("synced", .integer(synced))) }
    if let state { members.append(JSON.Member("state", .string(state.hex))) }
    if let waiting {
      let objects = ("objects", JSON.integer(Int64(waiting.count)))
      members.append(
        JSON.Member("waiting", .object(objects, ("seen", .integer(waiting.seen)))))
    }
    return .object(members + others)
  }
}

extension StorePlace {
  /// Reads the members that describe a place; nil if they are wrong.
  fileprivate init?(json: JSON) {
    if let path = json["sealed"]?.string {
      self = .folder(Path(path))
      return
    }
    guard let text = json["s3"]?.string, let url = json["endpoint"]?.string,
      let region = json["region"]?.string,
      var service = S3Service(url: url, region: region), service.isAcceptable
    else { return nil }
    service.usesPath = json["paths"]?.boolean ?? false
    guard let address = BucketAddress(text, at: service) else { return nil }
    self = .bucket(address)
  }

  /// The members that describe the place.
  fileprivate var members: [JSON.Member] {
    switch self {
    case .folder(let path): return [JSON.Member("sealed", .string(path.string))]
    case .bucket(let address):
      let service = address.service
      return [
        JSON.Member("s3", .string(address.text)), JSON.Member("endpoint", .string(service.url)),
        JSON.Member("region", .string(service.region)),
        JSON.Member("paths", .boolean(service.usesPath)),
      ]
    }
  }
}
