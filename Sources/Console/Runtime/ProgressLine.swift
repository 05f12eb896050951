import Daybook
import Platform

/// Shows the progress of long operations on a terminal and, on request, how long they took.
final class ProgressLine {
  private let timekeeper: any Timekeeper
  private let isShown: Bool
  private let isTold: Bool
  private let write: @Sendable (String) -> Void
  private var start: Int64 = 0
  private var current: Progress?
  private var lastShown: Int64?

  /// Progress is not shown for operations that take less time than this.
  private static let momentMilliseconds: Int64 = 500
  private static let stepMilliseconds: Int64 = 100

  init(
    _ timekeeper: any Timekeeper, isShown: Bool = true, isTold: Bool = false,
    write: @escaping @Sendable (String) -> Void
  ) {
    (self.timekeeper, self.isShown, self.isTold) = (timekeeper, isShown, isTold)
    self.write = write
  }

  /// Shows the progress, or removes the line when the operation has ended.
  func show(_ progress: Progress?) {
    guard let progress else { return end() }
    let now = timekeeper.monotonicMilliseconds()
    if current?.work != progress.work {
      end()
      start = now
    }
    current = progress
    guard isShown, now - start > Self.momentMilliseconds, progress.total > 0,
      now - (lastShown ?? start) >= Self.stepMilliseconds
    else { return }
    lastShown = now
    write("\r\(progress.words(after: now - start))\u{1B}[K")
  }

  private func end() {
    if lastShown != nil { write("\r\u{1B}[K") }
    if isTold, let current {
      let tenths = (timekeeper.monotonicMilliseconds() - start + 50) / 100
      write(
        "daybook: \(current.work.verb): \(current.amount(current.done)) in \(tenths / 10).\(tenths % 10) s.\n"
      )
    }
    (current, lastShown) = (nil, nil)
  }
}

extension Progress {
  fileprivate func words(after milliseconds: Int64) -> String {
    let done = min(done, total)
    let left = done == 0 ? nil : (UInt64(milliseconds) * (total - done) / done + 999) / 1_000
    let rest = left.map { "  \($0.grouped) s left" } ?? ""
    return "\(work.verb) \(done.grouped)/\(amount(total))  \(done * 100 / total)%\(rest)"
  }

  fileprivate func amount(_ number: UInt64) -> String {
    let one = work == .intake ? "record" : "event"
    return "\(number.grouped) \(number == 1 ? one : one + "s")"
  }
}

extension Progress.Work {
  fileprivate var verb: String {
    switch self {
    case .fold: "read"
    case .intake: "import"
    case .sync: "sync"
    case .verification: "verify"
    }
  }
}

extension UInt64 {
  /// The number in groups of three digits, separated by spaces.
  fileprivate var grouped: String {
    let digits = Array(String(self))
    return digits.indices.map { place in
      let isGap = place > 0 && (digits.count - place).isMultiple(of: 3)
      return (isGap ? " " : "") + String(digits[place])
    }.joined()
  }
}
