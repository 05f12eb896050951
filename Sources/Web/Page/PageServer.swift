package import Daybook
package import Domain
import Platform

/// Serves a book's page to browsers on this machine.
package enum PageServer {
  /// The interval at which the server checks whether it must stop; a signal also ends the wait.
  private static let patienceMilliseconds = 1_000
  private static let keyBytes = 16

  /// Serves a book's page to browsers on this machine until it is stopped.
  ///
  /// No other code may use the book in the meantime. If the port is 0, any free port is used. `rule` applies to
  /// birthdays on 29 February that have no rule of their own. `ready` is called with the address, which contains the
  /// key, once the server accepts connections.
  package static func serve(
    _ book: Book, port: UInt16, rule: LeapRule, ready: (String) -> Void, until isOver: () -> Bool
  ) throws {
    let machine = book.machine
    let listener: any Listener
    do throws(NetworkError) {
      listener = try machine.network.listen(host: "127.0.0.1", port: port)
    } catch {
      throw DaybookError.network(error)
    }
    defer { listener.close() }
    let gate = Gatekeeper(key: key(from: machine.dice), port: listener.port)
    let site = try PageSite(book, rule: rule, key: gate.key)
    do throws(NetworkError) {
      let host = PageHost(site: site)
      let server = try WebServer(on: machine, listener: listener, gate: gate, host: host)
      try server.attend(to: site.bell)
      site.server = server
      defer { server.stop() }
      ready(gate.address)
      while !isOver() {
        try server.turn(patienceMilliseconds: patienceMilliseconds)
        PageSync(site: site).attend()
        site.attendToDay()
      }
    } catch {
      throw DaybookError.network(error)
    }
  }

  /// Makes a key of 128 random bits, encoded in the base64url alphabet.
  private static func key(from dice: any Dice) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var bits: UInt32 = 0
    var count = 0
    var key = ""
    for byte in dice.bytes(keyBytes) {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 6 {
        count -= 6
        key.append(letters[Int(bits >> UInt32(count)) & 63])
      }
    }
    key.append(letters[Int(bits << UInt32(6 - count)) & 63])
    return key
  }
}
