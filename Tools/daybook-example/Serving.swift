import DaybookSystem
import Glibc

extension Groceries {
  /// Invites a device, and lets devices sync until Return is pressed or the input ends.
  static func serve(_ book: BookActor, port: UInt16) async throws {
    let (news, told) = AsyncStream<BookServer.News>.makeStream()
    let server = await book.perform { book in book.server(port: port) }
    let serving = Task {
      defer { told.finish() }
      try await server.run { told.yield($0) }
    }
    let telling = Task {
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
    _ = readLine()
    serving.cancel()
    try await serving.value
    try await telling.value
  }

  /// Prints at once, also into a pipe.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
