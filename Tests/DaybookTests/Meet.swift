import Bytes
import Crypto
import Daybook
import Domain
import Platform
import PosixPlatform
import ReadModel
import Synchronization
import Syncing

/// A network whose lines break after a number of received bytes.
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

/// Helpers for devices that join by an invitation.
enum Meet {
  static func add(_ name: String, to book: Book) throws {
    _ = try book.commands.perform(.addList(name: name, colour: nil))
  }

  static func names(_ book: Book) throws -> [String] {
    try book.view().lists.lists().compactMap(\.name)
  }

  /// Joins on a place's machine, with its existing book if it has one.
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

  /// Runs `body` on a served book, and returns the errors of the server.
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

  /// The way in which a device was refused.
  enum Turned: Equatable {
    /// In the TLS handshake, because no invitation is open.
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
  /// A place by its name, for closures with typed errors.
  func somebody(_ name: String) -> Place {
    guard let place = try? place(name) else { preconditionFailure("a place can be made") }
    return place
  }
}
