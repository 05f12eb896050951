package import Platform

/// The process that a command runs in, and what it asks of the system.
package struct HostProcess: Sendable {
  /// Called once it is known what kind of command runs.
  package var prepare: @Sendable (RunKind) -> Void = { _ in }
  /// Where this program is; looking it up costs a system call.
  package var program: @Sendable () -> Path = { Path("daybook") }
  /// Runs another program to its end, and returns whether it succeeded; false where there is none.
  package var launch: @Sendable (_ words: [String]) -> Bool = { _ in false }
  /// Has a command of the shell show a text page by page; false where nothing was shown.
  package var page: @Sendable (_ command: String, _ text: String) -> Bool = { _, _ in false }
  /// Announces that so many bytes are about to be needed, for systems that provide them faster at once.
  package var expectMemory: @Sendable (_ bytes: Int) -> Void = { _ in }
  /// Keeps a value until the process ends, which is faster than to free it.
  package var keep: @Sendable (any Sendable) -> Void = { _ in }
  /// Whether the user wants a server to stop.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Runs something on another thread.
  package var beside: @Sendable (@escaping @Sendable () -> Void) -> Void

  package init(beside: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.beside = beside
  }
}
