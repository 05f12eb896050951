import Bytes
import Platform
import Syncing

extension HealthCheck {
  /// Looks at each remembered folder without changing it; nil if there are none.
  func folderFinding() throws(DaybookError) -> Finding? {
    let own = try localDevice.lastOwnLog
    let folders = readableContacts.compactMap { folderPeer($0, own) }
    return folders.isEmpty ? nil : .folders(folders)
  }

  /// The objects of sealed stores that waited for a key at the last sync; nil if there were none.
  func unopenedFinding() -> Finding? {
    let unopened = readableContacts.compactMap { contact in
      contact.waiting.map { UnopenedObjects(peer: contact.name, objects: $0) }
    }
    return unopened.isEmpty ? nil : .unopened(unopened)
  }

  /// The remembered peers; none if their list is damaged, which another check reports.
  private var readableContacts: [Contact] { (try? contactBook.contacts()) ?? [] }

  /// The state of a remembered folder; nil for any other peer, and for a bundle that is there.
  private func folderPeer(_ contact: Contact, _ own: UniqueID?) -> FolderPeer? {
    func peer(_ path: Path, isSealed: Bool = false, _ state: FolderPeer.State) -> FolderPeer {
      FolderPeer(name: contact.name, path: path, isSealed: isSealed, state: state)
    }
    switch contact.address {
    case .file(let path)?:
      do throws(DiskError) {
        return try store.machine.disk.status(path) == nil ? peer(path, .away) : nil
      } catch {
        // If the path cannot be examined, the next sync reports the reason.
        return nil
      }
    case .directory(let folder)?:
      return peer(
        folder,
        state(of: contact) { () throws(SyncError) in
          try FolderGlance(at: folder, of: store.file.book, for: own, on: store.machine)
        })
    case .store(let address)?:
      guard let folder = address.place.folder else { return nil }
      guard address.book == store.file.book else { return peer(folder, isSealed: true, .former) }
      return peer(
        folder, isSealed: true,
        state(of: contact) { () throws(SyncError) in
          try FolderGlance(atStore: address.store, in: folder, on: store.machine)
        })
    case .tcp?, .ssh?, nil: return nil
    }
  }

  private func state(
    of contact: Contact, _ glance: () throws(SyncError) -> FolderGlance
  ) -> FolderPeer.State {
    do throws(SyncError) {
      let glance = try glance()
      // An empty mount point may not be writable, but the missing disk is the cause.
      if glance.content == .nothing, let time = contact.synced { return .emptied(since: time) }
      if let refusal = glance.refusal { return .closed(refusal) }
      return glance.content == .present ? .sound : .lacking
    } catch .noFolder {
      return .away
    } catch {
      return .unusable(error)
    }
  }
}
