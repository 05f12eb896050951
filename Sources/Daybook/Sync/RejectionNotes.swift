import Bytes
import Crypto
import Syncing

/// Remembers which machines rejected the key of this device at the last attempt to sync with them.
///
/// A machine that has revoked this device sends it nothing, so the logs here do not show the revocation. The notes are
/// used only for reports, so they are in the read model. If it is rebuilt, the next attempt restores them.
struct RejectionNotes {
  let localDevice: LocalDevice
  let projector: Projector

  private var stored: ViewNote { ViewNote(name: "rejections", projector: projector) }

  /// The names of the machines that rejected the current key of this device, sorted.
  func machines() throws(DaybookError) -> [String] {
    guard let json = try stored.read(), let key = json["key"]?.string,
      key == (try? localDevice.shownKey)?.hex
    else { return [] }
    return (json["machines"]?.array ?? []).compactMap(\.string).sorted()
  }

  /// Notes whether a peer has rejected the key of this device at an attempt to sync with it.
  func note(
    _ isRejecting: Bool, by peer: PeerAddress, of contactBook: ContactBook
  ) throws(DaybookError) {
    guard let machine = peer.machine else { return }
    // Few devices are ever rejected, so the list of peers is seldom read.
    if !isRejecting, try machines().isEmpty { return }
    // A damaged list of peers is reported when it is needed.
    let contact = try? contactBook.contacts().first { $0.address == peer }
    try note(contact?.name ?? machine.text, isRejecting: isRejecting)
  }

  /// Notes the result of an attempt to sync with a machine.
  private func note(_ machine: String, isRejecting: Bool) throws(DaybookError) {
    let known = try machines()
    guard known.contains(machine) != isRejecting else { return }
    let machines = known.filter { $0 != machine } + (isRejecting ? [machine] : [])
    try stored.write(
      .object(
        ("key", .string(try localDevice.shownKey.hex)),
        ("machines", .array(machines.map(JSON.string)))))
  }
}

extension DaybookError {
  /// Whether a machine has rejected the key of this device.
  var isRejectionOfKey: Bool {
    switch self {
    case .sync(.tls(.refused(alert: 48))): true
    case .sync(.refused(let refusal)): refusal.code == Refusal.Code.revokedKey.rawValue
    default: false
    }
  }
}
