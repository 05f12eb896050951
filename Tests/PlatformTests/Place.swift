import Foundation
import Platform
import PosixPlatform
import SimulatedPlatform

/// The disks that share one contract.
enum Make: CaseIterable {
  case posix, simulated

  /// Runs a test in an empty directory of a fresh disk, and removes the directory.
  func trying(_ body: (any Disk, Path) throws -> Void) throws {
    switch self {
    case .posix:
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("platform-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      defer {
        // A folder left behind in the temporary directory harms nothing.
        try? FileManager.default.removeItem(at: folder)
      }
      try body(PosixDisk(), Path(folder.path))
    case .simulated:
      let disk = SimulatedMachine(seed: 1).disk
      try disk.makeDirectory(Path("/home"))
      try body(disk, Path("/home"))
    }
  }
}

extension Disk {
  /// Creates a file with these bytes, flushed or not.
  func put(_ path: Path, _ bytes: [UInt8], flushing: Bool = false) throws {
    let file = try OpenFile(path, .create, on: self)
    try file.write(bytes, at: 0)
    if flushing { try file.flush() }
    try file.close()
  }

  func get(_ path: Path) throws -> [UInt8] { try contents(of: path, limit: 1 << 20) }
}
