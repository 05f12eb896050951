import Bytes
import Crypto
import Syncing

/// Remembers which machines rejected the key of this device at the last attempt to sync with them.
///
/// A machine that has revoked this device sends it nothing, so the logs here do not show the revocation. Machines that
/// are not remembered as peers are left out: they may belong to another book, and this device might never sync with
/// them again.
///
/// The notes are used only for reports, so they are stored in the read model. If the read model is rebuilt, the next
/// attempt restores the notes.
struct RejectionNotes {
  let localDevice: LocalDevice
  let projector: Projector

  private var stored: ViewNote { ViewNote(name: "rejections", projector: projector) }

  /// The names of the remembered machines that rejected the current key of this device, sorted.
  func machines(of contactBook: ContactBook) throws(DaybookError) -> [String] {
    let rejecting = try addresses()
    // Few devices are ever rejected, so the list of peers is seldom read.
    if rejecting.isEmpty { return [] }
    return remembered(contactBook)
      .filter { contact in contact.address?.machine.map { rejecting.contains($0.text) } ?? false }
      .map(\.name).sorted()
  }

  /// Notes whether a peer has rejected the key of this device at an attempt to sync with it.
  func note(
    _ isRejecting: Bool, by peer: PeerAddress, of contactBook: ContactBook
  ) throws(DaybookError) {
    guard let machine = peer.machine else { return }
    let known = try addresses()
    guard known.contains(machine.text) != isRejecting else { return }
    if isRejecting, !remembered(contactBook).contains(where: { $0.address == peer }) { return }
    let machines = known.filter { $0 != machine.text } + (isRejecting ? [machine.text] : [])
    try stored.write(
      .object(
        ("key", .string(try localDevice.shownKey.hex)),
        ("machines", .array(machines.map(JSON.string)))))
  }

  /// The remembered peers; none if their list is damaged, which is reported when it is needed.
  private func remembered(_ contactBook: ContactBook) -> [Contact] {
    (try? contactBook.contacts()) ?? []
  }

  /// The addresses of the machines that rejected the current key of this device.
  private func addresses() throws(DaybookError) -> [String] {
    guard let json = try stored.read(), let key = json["key"]?.string,
      key == (try? localDevice.shownKey)?.hex
    else { return [] }
    return (json["machines"]?.array ?? []).compactMap(\.string)
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
