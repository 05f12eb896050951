import Foundation

/// Machines and the network between them.
protocol Neighbourhood: AnyObject {
  /// The address on which a machine listens.
  func door(of machine: Int) -> String

  /// The address of a machine as seen from another.
  func address(of machine: Int, from other: Int) -> String

  /// Makes a process, before its start, run on a machine.
  func move(_ process: Process, to machine: Int)
}
