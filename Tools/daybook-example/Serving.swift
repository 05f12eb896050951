import DaybookSystem
import Glibc

extension Groceries {
  /// Invites a device, and lets devices sync until Return is pressed or the input ends.
  static func serve(_ book: BookActor, port: UInt16) async {
    let (news, told) = AsyncStream<BookServer.News>.makeStream()
    let server = await book.perform { book in book.server(port: port) }
    let serving = Task {
      defer { told.finish() }
      await endProgramIfFailing { try await server.run { told.yield($0) } }
    }
    let telling = Task {
      await endProgramIfFailing {
        for await event in news {
          switch event {
          case .listening(let port):
            let invitation = try await book.perform { book in try book.invite() }
            say("Listening on port \(port). The invitation:\n\(invitation.code)")
          case .admitted(let device, _): say("\(device) has joined.")
          case .lost(_, let failure), .failed(let failure): say("\(failure)")
          case .exchanged, .sent, .left, .turnedAway: break
          }
        }
      }
    }
    _ = readLine()
    serving.cancel()
    await serving.value
    await telling.value
  }

  /// Runs a function.
  ///
  /// If the function fails, prints the reason and ends the program immediately, without waiting for Return.
  private static func endProgramIfFailing(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      say("\(error)")
      // `exit` would wait for the lock on the input, which `readLine` holds.
      _exit(1)
    }
  }

  /// Prints a line immediately, even to a pipe or while `readLine` waits for input.
  private static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
