import Bytes
import Crypto
import Daybook
import Domain
import Platform
import PosixPlatform
import ReadModel
import Synchronization
import Syncing

/// A network whose lines break after so many bytes have come.
struct BreakingNetwork: Network {
  let bytes: Int

  func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener {
    try PosixNetwork().listen(host: host, port: port)
  }

  func poller() throws(NetworkError) -> any Poller { try PosixNetwork().poller() }

  func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line {
    let patience = patienceMilliseconds
    let line = try PosixNetwork().dial(host: host, port: port, patienceMilliseconds: patience)
    return BreakingLine(line, bytes)
  }

  private final class BreakingLine: Line {
    private let line: any Line
    private let left: Mutex<Int>

    init(_ line: any Line, _ bytes: Int) {
      self.line = line
      left = Mutex(bytes)
    }

    var peer: String { line.peer }

    func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
      try line.send(bytes, patienceMilliseconds: patienceMilliseconds)
    }

    func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int { try line.offer(bytes) }

    func receive(upTo count: Int, patienceMilliseconds: Int) throws(NetworkError) -> [UInt8] {
      let most = min(count, left.withLock { $0 })
      guard most > 0 else {
        line.close()
        throw .cut
      }
      let bytes = try line.receive(upTo: most, patienceMilliseconds: patienceMilliseconds)
      left.withLock { $0 -= bytes.count }
      return bytes
    }

    func close() { line.close() }
  }
}

/// What it takes for devices to meet over an invitation.
enum Meet {
  static func add(_ name: String, to book: Book) throws {
    _ = try book.commands.perform(.addList(name: name, colour: nil))
  }

  static func names(_ book: Book) throws -> [String] {
    try book.view().lists.lists().compactMap(\.name)
  }

  /// Joins as the machine of a place, with the book it has or with none.
  static func join(
    _ place: Office.Place, _ invitation: Invitation, over network: any Network = PosixNetwork(),
    as name: String? = nil
  ) throws(DaybookError) -> (book: Book, receipt: Receipt) {
    let own = place.machine
    let machine = Machine(
      disk: own.disk, timekeeper: own.timekeeper, dice: own.dice, network: network)
    return try BookFactory.join(
      at: Office.folder, by: invitation, on: machine, deviceName: name ?? place.name,
      view: .memory, confirm: { _ in true })
  }

  /// Does something with a book that is served, and tells what went wrong at the server.
  static func serving(
    _ office: Office, _ name: String, user: Server.User? = nil,
    _ body: (Book, Server) async throws -> Void
  ) async throws -> [String] {
    let server = Server(try office.place(name).machine, admitsAll: false, user: user)
    _ = try await server.start()
    do {
      try await body(try office.place(name).open(), server)
    } catch {
      await server.stop()
      throw error
    }
    return await server.stop()
  }

  /// How somebody was turned away.
  enum Turned: Equatable {
    /// Before a word was said, since no stranger is expected.
    case atTheDoor
    case inWords(Syncing.Refusal.Code)
  }

  static func turned(_ body: () throws(DaybookError) -> Void) -> Turned? {
    do throws(DaybookError) { try body() } catch {
      if case .sync(.tls(.refused(alert: _))) = error { return .atTheDoor }
      guard case .sync(.refused(let refusal)) = error else { return nil }
      return Syncing.Refusal.Code(rawValue: refusal.code).map(Turned.inWords)
    }
    return nil
  }
}

extension Office {
  /// A place that is there, as a call of a typed closure needs it.
  func somebody(_ name: String) -> Place {
    guard let place = try? place(name) else { preconditionFailure("a place can be made") }
    return place
  }
}
