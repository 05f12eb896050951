import Foundation

/// Machines, and what lies between each two of them.
protocol Neighbourhood: AnyObject {
  /// Where a machine listens, so that all others reach it.
  func door(of machine: Int) -> String

  /// The address under which a machine reaches another.
  func address(of machine: Int, from other: Int) -> String

  /// Lets a process that has not begun yet run on a machine.
  func move(_ process: Process, to machine: Int)
}
