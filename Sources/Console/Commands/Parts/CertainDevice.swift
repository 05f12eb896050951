import Bytes
import Daybook
import Platform

/// Finds the device that the user names in a command that changes or ends something.
///
/// Any admitted device may rename any other, so a name is refused if another device previously had it and this device
/// did not assign it. The words of a key always name the same device.
struct CertainDevice {
  let book: Book
  let timekeeper: any Timekeeper

  /// The device that the given words name.
  func device(called words: String) throws -> Device {
    let device: Device
    do throws(DaybookError) { device = try book.deviceList.device(called: words) } catch {
      guard case .unknownPeer = error else { throw error }
      try refuseFormerName(words)
      throw error
    }
    // The name of another device may differ from a former name only in its case.
    if !device.isCalled(words) { try refuseFormerName(words) }
    guard device.isNamed(words), !device.formerHolders.isEmpty else { return device }
    throw ConsoleError.movedName(
      words, device: device.words, device.originSentences(at: timekeeper))
  }

  /// Refuses a name that a device previously had, if no device has it now.
  private func refuseFormerName(_ words: String) throws {
    let holders = try book.deviceList.formerHolders(of: words)
    guard !holders.isEmpty else { return }
    throw ConsoleError.formerName(words, holders.map { $0.text(at: timekeeper) })
  }

  /// Returns the words of the named device's key or, if the given words name only one log or branch of a device, the
  /// id of that log or branch.
  func lastingWords(for words: String) throws -> String {
    let device = try device(called: words)
    return device.part == nil ? device.fingerprint.joined(separator: "-") : device.replica.hex
  }
}
