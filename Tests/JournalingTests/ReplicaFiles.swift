import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Verifying

/// The files of a replica's log, built by a test.
struct ReplicaFiles {
  var id: UniqueID
  /// The files, with paths relative to the folder of the log.
  var files: [(path: String, bytes: [UInt8])]

  static let tail = "000000000001.gz"

  static func branchID(_ hash: Digest) -> UniqueID {
    SHA256.digest(of: Array("daybook branch v1".utf8) + hash.bytes).prefix16
  }

  /// A disk that contains the files.
  func disk(aside: Bool = false, holes: String? = nil) throws -> SimulatedDisk {
    let disk = SimulatedMachine(seed: 1).disk
    for file in files {
      let path = Path("/book/\(aside ? "aside" : "logs")/\(id.hex)/\(file.path)")
      try disk.makeDirectories(path.parent)
      try disk.replace(path, with: file.bytes)
    }
    if let holes { try disk.replace(Path("/book/holes"), with: Array(holes.utf8)) }
    return disk
  }

  func verify(aside: Bool = false, holes: String? = nil) throws -> VerificationReport {
    try Verification.run(on: Path("/book"), disk: try disk(aside: aside, holes: holes))
  }

  func fault(
    _ file: String, at offset: Int = 0, _ what: Fault.Kind, sequence: UInt64? = nil
  ) -> Fault {
    Fault(file: "logs/\(id.hex)/\(file)", offset: offset, sequence: sequence, kind: what)
  }
}
