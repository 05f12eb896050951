import Foundation
import Testing

/// The resources of a process.
struct Footprint: Hashable {
  var residentBytes: Int
  var descriptors: Int

  /// The resources of a running process; nil if it has ended.
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

  /// The maximum of each resource.
  static func most(of footprints: some Sequence<Footprint>) -> Footprint {
    footprints.reduce(Footprint(residentBytes: 0, descriptors: 0)) { most, one in
      Footprint(
        residentBytes: max(most.residentBytes, one.residentBytes),
        descriptors: max(most.descriptors, one.descriptors))
    }
  }
}
