/// How much memory may be taken by work that takes more the more there is to do, in bytes.
///
/// What keeps to it does its work in portions, which takes longer.
public struct MemoryBudget: Hashable, Sendable {
  /// For a command that ends with its answer.
  public let command: UInt64
  /// For a process that stays and works for others.
  public let serving: UInt64

  /// Takes the bytes for each.
  public init(command: UInt64, serving: UInt64) {
    (self.command, self.serving) = (command, serving)
  }

  /// No limit.
  public static let unbounded = MemoryBudget(command: .max, serving: .max)
}
