import Foundation
import Platform
import PosixPlatform
import SimulatedPlatform

/// The disks that must behave alike.
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
        // A folder that remains in the temporary directory does no harm.
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
  /// Creates a file with the given bytes, and flushes it if requested.
  func put(_ path: Path, _ bytes: [UInt8], flushing: Bool = false) throws {
    let file = try OpenFile(path, .create, on: self)
    try file.write(bytes, at: 0)
    if flushing { try file.flush() }
    try file.close()
  }

  func get(_ path: Path) throws -> [UInt8] { try contents(of: path, limit: 1 << 20) }
}
