package import Bytes
package import Crypto
package import Journaling

/// The file `book.json`: the id of the book, the name of this device, and which machine writes which log.
package struct BookFile: Sendable {
  package static let format: Int64 = 1

  /// The id of the book; zeros until the first event is written or the book is joined.
  package var book: UniqueID
  package var device: String
  /// Whether a join has begun in this folder, which had no book, and has not finished.
  package var isJoining = false
  /// The ids that the book had before it was joined to others.
  package var formerly: [UniqueID]
  /// The log that each machine writes, by the mark of the machine.
  package var writers: [UniqueID: UniqueID]
  /// The log that each machine wrote before its current or next log, by the mark of the machine.
  package var left: [UniqueID: LeftLog]
  /// The last events that each machine wrote to logs that it left earlier, by the mark of the machine.
  package var earlier: [UniqueID: [Landmark]]
  /// The quotas that differ from the default, by the key of the device.
  package var quotas: [PublicKey: Quota]
  /// The user's decisions about erasures by other devices.
  package var erasures: ErasureReview
  /// The events that are known to have been here and are now missing.
  package var losses: LossRecord

  package init(book: UniqueID, device: String) {
    self.book = book
    self.device = device
    formerly = []
    writers = [:]
    left = [:]
    earlier = [:]
    quotas = [:]
    erasures = ErasureReview()
    losses = LossRecord()
  }

  package init(parsing bytes: [UInt8]) throws(BookFileError) {
    let json: JSON
    do { json = try JSON(parsing: bytes) } catch { throw .notJSON(error) }
    guard let format = json["format"]?.integer else { throw .missing("format") }
    guard format == Self.format else { throw .otherFormat(format) }
    book = try Self.id(json["book"], named: "book")
    guard let device = json["device"]?.string else { throw .missing("device") }
    self.device = device
    isJoining = json["joining"]?.boolean ?? false
    formerly = []
    for former in json["formerly"]?.array ?? [] {
      formerly.append(try Self.id(former, named: "formerly"))
    }
    writers = [:]
    for member in json["writers"]?.members ?? [] {
      guard let mark = UniqueID(hex: member.name) else { throw .missing("writers") }
      writers[mark] = try Self.id(member.value, named: "writers")
    }
    left = [:]
    for member in json["left"]?.members ?? [] {
      guard let mark = UniqueID(hex: member.name) else { throw .missing("left") }
      left[mark] = try LeftLog(member.value)
    }
    earlier = [:]
    for member in json["earlier"]?.members ?? [] {
      guard let mark = UniqueID(hex: member.name) else { throw .missing("earlier") }
      for place in member.value.array ?? [] {
        earlier[mark, default: []].append(try Landmark(place, named: "earlier"))
      }
    }
    quotas = [:]
    for member in json["quotas"]?.members ?? [] {
      guard let key = PublicKey(hex: member.name), let quota = Quota(member.value) else {
        throw .missing("quotas")
      }
      quotas[key] = quota
    }
    erasures = try ErasureReview(json["erasures"])
    losses = try LossRecord(json[LossRecord.name])
  }

  private static func id(_ json: JSON?, named name: String) throws(BookFileError) -> UniqueID {
    guard let text = json?.string, let id = UniqueID(hex: text) else { throw .missing(name) }
    return id
  }

  package var bytes: [UInt8] {
    let marks = writers.sorted { $0.key < $1.key }
    let leaving = left.sorted { $0.key < $1.key }
    let before = earlier.sorted { $0.key < $1.key }
    let members: [(String, JSON)] = [
      ("format", .integer(Self.format)),
      ("book", .string(book.hex)),
      ("device", .string(device)),
      ("joining", .boolean(isJoining)),
      ("formerly", .array(formerly.map { .string($0.hex) })),
      ("writers", .object(marks.map { JSON.Member($0.key.hex, .string($0.value.hex)) })),
      ("left", .object(leaving.map { JSON.Member($0.key.hex, $0.value.json) })),
      (
        "earlier",
        .object(before.map { JSON.Member($0.key.hex, .array($0.value.map(\.json))) })
      ),
      (
        "quotas",
        .object(
          quotas.sorted { $0.key.hex < $1.key.hex }.map { JSON.Member($0.key.hex, $0.value.json) })
      ),
      ("erasures", erasures.json),
      (LossRecord.name, losses.json),
    ]
    let absent = [
      isJoining ? nil : "joining",
      left.isEmpty ? "left" : nil, earlier.isEmpty ? "earlier" : nil,
      quotas.isEmpty ? "quotas" : nil, erasures.isEmpty ? "erasures" : nil,
      losses.isEmpty ? LossRecord.name : nil,
    ]
    let json = JSON.object(
      members.filter { !absent.contains($0.0) }.map { JSON.Member($0.0, $0.1) })
    return Array((json.text(indented: true) + "\n").utf8)
  }
}
