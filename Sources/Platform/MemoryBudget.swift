/// The memory, in bytes, that may be used by a task whose needs grow with its input.
///
/// A task that reaches its budget continues in portions, which takes longer.
public struct MemoryBudget: Hashable, Sendable {
  /// The budget for a command that ends after its answer.
  public let command: UInt64
  /// The budget for a process that keeps running and serves others.
  public let serving: UInt64

  /// Creates a budget from the two limits, in bytes.
  public init(command: UInt64, serving: UInt64) {
    (self.command, self.serving) = (command, serving)
  }

  /// A budget without a limit.
  public static let unbounded = MemoryBudget(command: .max, serving: .max)
}
