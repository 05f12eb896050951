import Foundation
import Testing

/// What a process has of its machine.
struct Footprint: Hashable {
  var residentBytes: Int
  var descriptors: Int

  /// Of a process that runs; nil where it has ended meanwhile.
  init?(of process: Process?) {
    guard let process, process.isRunning else { return nil }
    let folder = "/proc/\(process.processIdentifier)"
    guard let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8),
      let match = try? #/VmRSS:\s+(\d+) kB/#.firstMatch(in: status),
      let kilobytes = Int(match.output.1),
      let open = try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd")
    else { return nil }
    (residentBytes, descriptors) = (kilobytes << 10, open.count)
  }

  private init(residentBytes: Int, descriptors: Int) {
    (self.residentBytes, self.descriptors) = (residentBytes, descriptors)
  }

  /// The largest there was.
  static func most(of footprints: some Sequence<Footprint>) -> Footprint {
    footprints.reduce(Footprint(residentBytes: 0, descriptors: 0)) { most, one in
      Footprint(
        residentBytes: max(most.residentBytes, one.residentBytes),
        descriptors: max(most.descriptors, one.descriptors))
    }
  }
}
