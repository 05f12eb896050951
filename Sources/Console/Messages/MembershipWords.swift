import Daybook
import Phrasing
import Platform

extension Device {
  /// Who admitted, kept, named and revoked the device, and when: `admitted by laptop on 2026-11-20 09:07 by a command,
  /// revoked by desk on 2026-11-26 10:00`; empty for the founder.
  ///
  /// The origin of a name is omitted if the named device or this device gave the name, and for this device itself.
  func membership(at timekeeper: any Timekeeper) -> String {
    func day(_ time: Int64?) -> String {
      time.map { " on \(timekeeper.localText(of: $0))" } ?? ""
    }
    let parts = [
      admission?.text(at: timekeeper),
      keeping.map { "kept by \($0.author.visible)\(day($0.time))" },
      isThis
        ? nil
        : renaming.map {
          "named by \($0.author.visible)\(day($0.time)), formerly \($0.formerName.visible)"
        },
      removal.map { "revoked by \($0.author.visible)\(day($0.time))" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
