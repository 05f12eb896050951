import Platform
import Wording

extension Told {
  /// The report if this device cannot admit, revoke or rename devices.
  static var notAdmitted: Told {
    Told(
      "not-admitted", .refused,
      "this device is not admitted, or was revoked, so it cannot admit, revoke or rename a device.\n"
        + "Use an admitted device; 'daybook devices' shows which devices are admitted.\n"
        + "If none of them is in your hands, run 'daybook found --with NAME' on this device to begin a new book "
        + "with this device and those that you name.")
  }

  /// The report if the machine that was called has a key that was revoked.
  ///
  /// - Parameters:
  ///   - device: The name of the machine's device.
  ///   - words: The words of the machine's key.
  ///   - peer: The name of the peer that is remembered at its address; nil if there is none.
  /// - Returns: The report.
  static func revokedPeer(_ device: String, _ words: String, _ peer: String?) -> Told {
    Told(
      "revoked-peer", .refused,
      "the key of \(device.visible) (\(words)) was revoked, so nothing was sent.\n"
        + (peer.map {
          "To forget the address of the device, run 'daybook peer forget \($0.quoted.visible)'. "
        } ?? "")
        + "If the device is yours, run 'daybook device rekey' on it, and admit its new key.")
  }
}
