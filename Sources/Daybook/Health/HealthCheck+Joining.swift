import Bytes
import Platform
import Sealing
import Syncing

extension HealthCheck {
  /// The joins through sealed stores that have begun and have not finished; nil if there are none.
  package func openJoins() throws(DaybookError) -> OpenJoins? {
    let now = store.folder.now
    let entries = try StoreInvitationFile(store: store).read().entries
      .filter { $0.isOpen(at: now) && $0.identity.book == store.file.book }
    let file = StoreJoinFile(in: store)
    let pending = try file.read()
    guard !entries.isEmpty || pending != nil else { return nil }
    let names = peerNames()
    return OpenJoins(
      invited: entries.map { entry in
        let store = entry.identity.store
        return OpenJoins.Invited(peer: names[store] ?? store.hex, end: entry.end)
      },
      knockedAt: pending?.invitation.address.place.location)
  }

  /// The names of the peers that are sealed stores, by the ids of the stores.
  private func peerNames() -> [UniqueID: String] {
    // Another check reports a list of peers that is damaged.
    let contacts = (try? contactBook.contacts()) ?? []
    return contacts.reduce(into: [:]) { names, contact in
      if case .store(let address)? = contact.address { names[address.store] = contact.name }
    }
  }
}
