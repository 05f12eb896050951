package import Bytes

/// A log of the book and the device that writes it.
package struct Device: Sendable {
  package enum Standing: Sendable {
    case founder
    case admitted
    /// Nobody has admitted it yet.
    case waiting
    case revoked
  }

  package var replica: UniqueID
  package var name: String
  /// Words that stand for its key.
  package var fingerprint: [String]
  package var key: [UInt8]
  package var events: UInt64
  /// How many of the events do not count, since its key was revoked.
  package var cut: UInt64
  /// When it wrote last, by its own clock.
  package var lastWritten: Int64
  package var standing: Standing
  package var isThis: Bool
  /// Whether the device has taken another key since.
  package var isFormerKey: Bool
  /// Which of the branches of the device's log this is, counted from 1; nil for the log itself.
  package var branch: Int?

  /// The names of the devices among some whose logs have branches, until their keys are revoked.
  package static func forked(_ devices: [Device]) -> [String] {
    let keys = Set(devices.filter { $0.branch != nil && $0.standing != .revoked }.map(\.key))
    let names = devices.filter { $0.branch == nil && keys.contains($0.key) }.map(\.name)
    return Set(names).sorted()
  }
}

extension Device {
  /// What it is called where devices are listed.
  package var listedName: String {
    let whole = branch.map { "\(name), branch \($0)" } ?? name
    return isFormerKey ? "\(whole) (old key)" : whole
  }

  /// Whether words mean it: its name, its id, or the first words of its fingerprint.
  func isCalled(_ words: String) -> Bool {
    listedName == words || replica.hex == words
      || fingerprint.indices.contains { last in
        fingerprint[...last].joined(separator: "-") == words
      }
  }
}
