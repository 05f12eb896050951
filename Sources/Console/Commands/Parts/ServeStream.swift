import Daybook
import Phrasing
import Platform
import Syncing

/// Serves the book to the machine at the other end of standard input and output.
struct ServeStream {
  let context: CommandContext

  /// Answers one session.
  ///
  /// Standard output belongs to the session, and standard error is read on the other machine. Only this machine's
  /// errors are reported, because the other machine reports the rest itself.
  func run(_ admits: Bool) throws {
    let book = try context.book()
    let line = try wrap { () throws(NetworkError) in try context.environment.streams.line() }
    guard let line else { throw ConsoleError.noStream }
    try LiveService(of: book).answer(
      line, admission: admits ? .newcomers : .never, tell: { tell($0) },
      until: context.environment.process.shouldStop)
  }

  private func tell(_ news: LiveNews) {
    switch news {
    case .failed(_, let error):
      context.output.note("on \(context.environment.hostName.visible): \(error.told.text)")
      context.exit = max(context.exit, error.told.exit)
    case .lost, .turnedAway: context.exit = max(context.exit, .network)
    case .met, .letIn, .news, .sent, .left, .stripped: break
    }
  }

  private func wrap<Value>(
    _ body: () throws(NetworkError) -> Value
  ) throws(DaybookError) -> Value {
    do throws(NetworkError) { return try body() } catch { throw .network(error) }
  }
}
