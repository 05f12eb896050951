import Bytes
import Domain
import Journaling
import Testing

/// Events of one log or branch, from a frame of the vectors.
struct FramePart {
  private let frame: [UInt8]
  let log: UniqueID
  fileprivate let replica: UniqueID
  fileprivate let behind: UniqueID?
  fileprivate let events: ClosedRange<UInt64>

  /// A log that consists of one frame.
  init(file: [UInt8]) throws {
    frame = file
    var chain = Chain()
    let opening = try #require(try Frame.decode(file.span, at: 0, &chain).opening)
    replica = UniqueID.replica(publicKey: opening.publicKey, incarnation: opening.incarnation)
    (log, behind, events) = (replica, nil, 1...UInt64.max)
  }

  /// Events of the desk's log or of one of its branches.
  private init(
    _ frame: String, branch: String?, behind: String?, _ events: ClosedRange<UInt64>
  ) throws {
    let names = try ProtocolText.vector("forks")
    replica = try LogVector("log of desk").id
    log = try branch.map(names.id) ?? replica
    self.behind = branch == nil ? nil : try behind.map(names.id) ?? replica
    self.frame = try ProtocolText.vector(frame).bytes("member")
    self.events = events
  }

  /// The forked log of the desk, and the log of the phone.
  static var forks: [FramePart] {
    get throws {
      let clones = "branch of both clones"
      return [
        try FramePart("sealed frame", branch: nil, behind: nil, 1...5),
        try FramePart("sealed frame", branch: "branch of the desk", behind: nil, 6...7),
        try FramePart("frame of the clones", branch: clones, behind: nil, 6...6),
        try FramePart(
          "frame of the first clone", branch: "branch of the first clone", behind: clones, 7...7),
        try FramePart(
          "frame of the second clone", branch: "branch of the second clone", behind: clones, 7...7),
        try FramePart(file: ProtocolText.vector("frame of the phone").bytes("member")),
      ]
    }
  }
}

extension Records {
  /// Folds frames without a journal.
  static func folding(_ parts: [FramePart]) throws -> Records {
    var causality = Causality()
    // A trunk gets its number before its branches.
    for part in parts.sorted(by: { $0.events.lowerBound < $1.events.lowerBound }) {
      let trunk = part.behind.flatMap { causality.number(of: $0) }
      _ = causality.number(of: part.log, replica: part.replica, behind: trunk)
    }
    var facts: [Fact] = []
    for part in parts { facts += try part.facts(among: parts, &causality) }
    return Records.fold(facts, causality: causality)
  }
}

extension FramePart {
  fileprivate func facts(among parts: [FramePart], _ causality: inout Causality) throws -> [Fact] {
    var chain = Chain()
    let frame = try Frame.decode(self.frame.span, at: 0, &chain)
    let author = try #require(causality.number(of: log))
    var table: [UInt32] = []
    var facts: [Fact] = []
    for event in frame.events where events.contains(event.sequence) {
      let key = EventKey(log: author, sequence: event.sequence)
      for entry in try frame.header(of: event).seen {
        if case .introduced(let id) = entry.log {
          table.append(causality.number(of: id, replica: id))
        }
        let index = if case .index(let index) = entry.log { Int(index) } else { table.count - 1 }
        causality.note(key, saw: table[index], upTo: entry.sequence, except: entry.missing)
      }
      let bytes = Array(frame.content[event.body])
      let decoded = try Body.decode(bytes.span, author: author) { index in
        index < table.count ? table[Int(index)] : nil
      }
      guard var body = decoded else { continue }
      if case .entity(let target) = body.target {
        body.target = .entity(placed(target, among: parts, causality))
      }
      facts.append(
        Fact(
          key: key, time: event.time, when: event.when, hash: event.hash.prefix16, body: body))
    }
    return facts
  }

  /// Replaces the author's log in a reference by the trunk or branch that contains the event.
  private func placed(
    _ key: EventKey, among parts: [FramePart], _ causality: Causality
  ) -> EventKey {
    var part = self
    guard causality.number(of: log) == key.log else { return key }
    while key.sequence < part.events.lowerBound, let trunk = part.behind,
      let next = parts.first(where: { $0.log == trunk })
    {
      part = next
    }
    return EventKey(log: causality.number(of: part.log) ?? key.log, sequence: key.sequence)
  }
}
