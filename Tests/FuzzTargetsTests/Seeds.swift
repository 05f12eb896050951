import Bytes
import Foundation
import Platform
import SimulatedPlatform

@testable import Console
@testable import FuzzTargets
@testable import Syncing

/// Real inputs from which the fuzzers start.
enum Seeds {
  static func of(_ target: FuzzTarget) throws -> [[UInt8]] {
    switch target {
    case .frame: try vectors("member").map(\.bytes)
    case .content: try contents().map(\.packed)
    case .information: try contents().map(\.items[0])
    case .event: try events()
    case .message:
      try Array(messages().prefix(12)) + [Message.alive.encoded.dropFirst(4)].map(Array.init)
    case .bundle:
      try [bundle(since: .nothing), bundle(since: Keeper(like: Pair.made.get().bert).frontier)]
    case .directory: try files()
    case .session: try sessions()
    case .importer: ForeignSeeds.all
    case .commandLine: commandLines()
    case .storeName: try StoreSeeds.names()
    case .storeObject: try StoreSeeds.objects()
    case .storePackage: try StoreSeeds.packages()
    case .storeRing: try StoreSeeds.rings()
    case .storeKnock: try StoreSeeds.knocks()
    case .storeInvitation: try StoreSeeds.invitations()
    case .request: requests()
    }
  }

  private static func requests() -> [[UInt8]] {
    let host = "Host: 127.0.0.1:7777\r\n"
    let get = "GET /key/lists/1?at=2026-11-20T09%3A00%3A00Z&find=a+b HTTP/1.1\r\n\(host)\r\n"
    let post =
      "POST /key/api/do HTTP/1.1\r\n\(host)Content-Type: application/json\r\n"
      + "Content-Length: 2\r\nConnection: close\r\n\r\n{}"
    return [get, post, post + get + post].map { [7] + Array($0.utf8) }
  }

  private struct Missing: Error { let what: String }

  // MARK: Vectors of the protocol

  private struct Vector {
    var first: UInt64 = 1
    var count: UInt64 = 1
    var bytes: [UInt8] = []

    var packed: [UInt8] { Frames.little(first, 8) + Frames.little(count, 4) + bytes }

    /// The CBOR items of the content.
    var items: [[UInt8]] {
      var reader = CBORReader(bytes.span)
      var items: [[UInt8]] = []
      while !reader.isAtEnd, let range = try? reader.skip() { items.append(Array(bytes[range])) }
      return items
    }
  }

  /// All values with a given name in `docs/vectors.md`, except large values.
  private static func vectors(_ wanted: String) throws -> [Vector] {
    let text = try String(
      contentsOf: CorpusTests.folder.appending(path: "../../../docs/vectors.md"), encoding: .utf8)
    var found: [Vector] = []
    for block in text.components(separatedBy: "```vector ").dropFirst() {
      let joined = block.components(separatedBy: "```")[0]
        .replacing(/\n +/, with: "")
      var vector = Vector()
      for line in joined.split(separator: "\n").dropFirst() {
        let parts = line.split(separator: "=", maxSplits: 1).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 2 else { continue }
        switch parts[0] {
        case "first sequence": vector.first = UInt64(parts[1]) ?? 1
        case "event count": vector.count = UInt64(parts[1]) ?? 1
        case wanted: vector.bytes = Hex.decode(parts[1]) ?? []
        default: continue
        }
      }
      if (1..<2_000).contains(vector.bytes.count) { found.append(vector) }
    }
    guard found.count > 5 else { throw Missing(what: wanted) }
    return found
  }

  private static func contents() throws -> [Vector] {
    try vectors("content").filter { $0.items.count >= 3 }
  }

  /// Distinct headers with their bodies.
  private static func events() throws -> [[UInt8]] {
    var seen: Set<[UInt8]> = []
    let events = try contents().flatMap { content in
      let items = content.items
      return stride(from: 1, to: items.count - 1, by: 2).map { items[$0] + items[$0 + 1] }
    }
    return (events + (try oddBodies()).map { [5] + $0 }).filter { seen.insert($0).inserted }
  }

  /// Invalid bodies, and bodies with additional items.
  private static func oddBodies() throws -> [[UInt8]] {
    let text = try String(
      contentsOf: CorpusTests.folder.appending(path: "../../../docs/vectors.md"), encoding: .utf8)
    let names = [
      "bodies that change nothing\n", "bodies that make sense\n",
      "domain bodies that change nothing\n",
    ]
    let bodies = names.flatMap { name in
      text.components(separatedBy: "```vector \(name)").dropFirst().flatMap { block in
        block.components(separatedBy: "```")[0].replacing(/\n +/, with: "")
          .split(separator: "\n").compactMap { line in
            Hex.decode(line.split(separator: "=").last?.trimmingCharacters(in: .whitespaces) ?? "")
          }
      }
    }
    guard bodies.count > 40 else { throw Missing(what: "odd bodies") }
    return bodies
  }

  // MARK: Sessions

  /// The messages of both sides of a session.
  private static func syncOutcome(stays: Bool) throws -> (anna: [[UInt8]], bert: [[UInt8]]) {
    let pair = try Pair.made.get()
    let clock = SimulatedTimekeeper(now: Moment(milliseconds: 0))
    var anna = Conversation(
      .dialler, holder: try Keeper(like: pair.anna), timekeeper: clock, stays: stays)
    var bert = Conversation(
      .listener, holder: try Keeper(like: pair.bert), timekeeper: clock, stays: stays)
    anna.start()
    var said: (anna: [UInt8], bert: [UInt8]) = ([], [])
    while anna.hasOutgoing || bert.hasOutgoing {
      let (there, back) = (anna.outgoing(upTo: 1 << 20), bert.outgoing(upTo: 1 << 20))
      if !there.isEmpty { bert.receive(there) }
      if !back.isEmpty { anna.receive(back) }
      said.anna += there
      said.bert += back
    }
    return (parts(of: said.anna), parts(of: said.bert))
  }

  /// The messages in a stream, without their length prefixes.
  private static func parts(of stream: [UInt8]) -> [[UInt8]] {
    var (parts, rest) = ([[UInt8]](), stream[...])
    while rest.count >= 4 {
      let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      parts.append(Array(rest.dropFirst(4).prefix(count)))
      rest = rest.dropFirst(4 + count)
    }
    return parts
  }

  private static func messages() throws -> [[UInt8]] {
    let (plain, live) = (try syncOutcome(stays: false), try syncOutcome(stays: true))
    var seen: Set<[UInt8]> = []
    let all = plain.anna + plain.bert + live.anna + live.bert + [[0x81, 0x06]]
    return all.filter { seen.insert($0).inserted }
  }

  private static func sessions() throws -> [[UInt8]] {
    var seeds: [[UInt8]] = []
    for stays in [false, true] {
      let said = try syncOutcome(stays: stays)
      for (side, messages) in [(UInt8(0), said.anna), (1, said.bert)] {
        let stream = messages.flatMap { Frames.little(UInt64($0.count), 2) + $0 }
        for more: UInt8 in [0, 12] { seeds.append([side | (stays ? 2 : 0) | more] + stream) }
      }
    }
    return seeds
  }

  // MARK: Files

  /// A bundle with everything that one device has, and a bundle with what another device lacks.
  private static func bundles() throws -> [[UInt8]] {
    let bert = try Keeper(like: Pair.made.get().bert)
    return try [bundle(since: .nothing), bundle(since: bert.frontier)]
  }

  /// A bundle without the digest at its end.
  private static func bundle(since frontier: Frontier) throws -> [UInt8] {
    let anna = try Keeper(like: Pair.made.get().anna)
    let path = Path("/bundle")
    _ = try Bundle.write(to: path, from: anna, since: frontier, on: anna.machine)
    return try anna.machine.disk.contents(of: path, limit: 1 << 20).dropLast(32)
  }

  /// The names of files, each followed by the content.
  private static func files() throws -> [[UInt8]] {
    let anna = try Keeper(like: Pair.made.get().anna)
    let folder = Path("/stick")
    try anna.machine.disk.makeDirectories(folder)
    var peer = try DirectoryPeer(at: folder, on: anna.machine)
    _ = try peer.push(from: anna)
    var seeds: [[UInt8]] = []
    for replica in anna.frontier.replicas {
      let place = folder / Keeper.book.hex / replica.hex
      for name in try anna.machine.disk.list(place) {
        let bytes = try anna.machine.disk.contents(of: place / name, limit: 1 << 20)
        let stem = String(name.dropLast(3))
        let names = [
          name, name.uppercased(), "\(stem) (conflicted copy).gz", "\(name)~", ".tmp-0011",
        ]
        seeds += names.prefix(replica == anna.frontier.replicas[0] ? 5 : 1).map {
          Array($0.utf8) + [0x0a] + bytes
        }
      }
    }
    return seeds
  }

  // MARK: Command lines

  /// The examples of the help, three at a time.
  private static func commandLines() -> [[UInt8]] {
    let examples = CommandCatalog.all.flatMap(\.examples).compactMap { example in
      words(example).map { $0.dropFirst().joined(separator: "\t") }
    }.filter { !$0.isEmpty && !$0.hasPrefix("demo") }
    return stride(from: 0, to: examples.count, by: 3).map { start in
      Array(examples[start..<min(start + 3, examples.count)].joined(separator: "\n").utf8)
    }
  }

  /// Splits a line into words as a shell does, but handles only the quotes that the examples use.
  private static func words(_ line: String) -> [String]? {
    let parts = line.components(separatedBy: "\"")
    guard !parts.count.isMultiple(of: 2) else { return nil }
    return parts.enumerated().flatMap { place, part in
      place.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [part]
    }
  }
}
