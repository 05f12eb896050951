import Platform

/// The reason why a simulated call fails; ``SimulatedDisk`` adds the operation and the path.
struct Refusal: Error {
  let reason: DiskFault

  init(_ reason: DiskFault) { self.reason = reason }
}
