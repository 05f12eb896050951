import Daybook
import Phrasing
import Platform

/// Shows the progress of a book while a command waits for it.
struct ProgressDisplay {
  let environment: CommandEnvironment
  let isQuiet: Bool
  let isVerbose: Bool
  /// Whether the command shows no progress.
  let isMuted: Bool

  /// Shows the progress of a book and, on a terminal, the process that it waits for.
  func show(of book: Book) {
    showProgress(of: book)
    let streams = environment.streams
    guard streams.isErrorTerminal else { return }
    book.progress.onWaiting = { holder in
      let who = holder.map { "process \($0.visible)" } ?? "another process"
      streams.writeError("daybook: waiting for \(who), which is writing to the book …\n")
    }
  }

  /// Shows the progress of long operations on a terminal and, with `--verbose`, how long they took.
  private func showProgress(of book: Book) {
    let streams = environment.streams
    let isShown = streams.isErrorTerminal && !environment.isDumb && !isQuiet
    guard isShown || isVerbose, !isMuted else { return }
    let line = ProgressLine(
      environment.machine.timekeeper, isShown: isShown, isTold: isVerbose,
      write: streams.writeError)
    book.progress.onProgress = { line.show($0) }
  }
}
