import Foundation

/// Machines and the network between them.
protocol Neighbourhood: AnyObject {
  /// Returns the address on which a machine listens.
  func door(of machine: Int) -> String

  /// Returns the address of a machine as seen from another machine.
  func address(of machine: Int, from other: Int) -> String

  /// Makes a process that has not started yet run on a machine.
  func move(_ process: Process, to machine: Int)
}
