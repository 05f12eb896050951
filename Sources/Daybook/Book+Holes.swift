import Bytes
package import Journaling
import Platform

extension Book {
  /// Reads every byte of the book's logs and checks all that can be checked.
  package func verify() throws(DaybookError) -> VerificationReport {
    let report = try wrap(DaybookError.disk) { () throws(DiskError) in
      try Verification.run(on: layout.folder, disk: machine.disk)
    }
    record(report)
    return report
  }

  /// Takes down which events are not there, so that the next sync asks for them.
  ///
  /// - Parameter report: What a verification has found.
  /// - Returns: The events that are missing, by the strands they are missing from.
  @discardableResult
  func record(_ report: VerificationReport) -> [UniqueID: [ClosedRange<UInt64>]] {
    report.logs.reduce(into: [:]) { holes, log in
      if !log.missing.isEmpty { holes[log.id, default: []] += log.missing }
    }
  }
}
