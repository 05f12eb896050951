package import Platform

/// The process that a command runs in, and the services of the operating system that it uses.
package struct HostProcess: Sendable {
  /// Prepares the process, as soon as it is known what kind of run the command needs.
  package var prepare: @Sendable (RunKind) -> Void = { _ in }
  /// The path of this program; looking it up costs a system call.
  package var program: @Sendable () -> Path = { Path("daybook") }
  /// Runs another program and waits until it ends; returns whether it succeeded, and false if there is no such
  /// program.
  package var launch: @Sendable (_ words: [String]) -> Bool = { _ in false }
  /// Shows text page by page with a shell command; returns false if nothing was shown.
  package var page: @Sendable (_ command: String, _ text: String) -> Bool = { _, _ in false }
  /// Announces a large allocation, which lets the system prepare it in one step.
  package var expectMemory: @Sendable (_ bytes: Int) -> Void = { _ in }
  /// Keeps a value until the process ends, which is faster than freeing it.
  package var keep: @Sendable (any Sendable) -> Void = { _ in }
  /// Whether the user has asked a server to stop.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Runs a closure on another thread.
  package var beside: @Sendable (@escaping @Sendable () -> Void) -> Void

  package init(beside: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.beside = beside
  }
}
