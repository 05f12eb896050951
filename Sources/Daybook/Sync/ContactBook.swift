import Bytes
import Crypto
import Domain
import Journaling
package import Platform
package import Syncing

/// Remembers the peers of this book.
package struct ContactBook {
  let store: LogStore
  let access: WriteAccess
  let deviceList: DeviceList
  let peerNotes: PeerNotes

  init(_ core: BookCore, _ deviceList: DeviceList) {
    (store, access, peerNotes) = (core.store, core.access, core.peerNotes)
    self.deviceList = deviceList
  }

  /// The remembered peers, in the order in which they were met.
  package func contacts() throws(DaybookError) -> [Contact] { try namedContacts().contacts }

  /// The remembered peers, with the known state of each.
  package func knownPeers() throws(DaybookError) -> [KnownPeer] {
    let contacts = try contacts()
    let met = try peerNotes.peers().peers
    let devices = try deviceList.devicesWithoutClocks()
    let state = heldState
    return try contacts.map { contact throws(DaybookError) in
      // No events are sent to a revoked device, so such a device counts as lacking none.
      let own = devices.filter { $0.key == contact.key?.bytes && $0.standing != .revoked }
      let told = met.filter { replica, _ in own.contains { $0.replica == replica } }
      let lacking = told.isEmpty ? nil : eventsLacked(by: told)
      return KnownPeer(
        contact: contact, fingerprint: contact.key?.fingerprint, lacking: lacking,
        isBehind: lacking.map { $0 > 0 } ?? (contact.state != state))
    }
  }

  /// Identifies the set of events that are held here.
  private var heldState: UniqueID {
    store.stateName(of: store.journal.logs.mapValues { _ in .max }, holding: []).prefix16
  }

  /// The number of events that a sync would send to a device, based on its statements under all of its ids.
  func eventsLacked(by told: [UniqueID: Peers.Peer]) -> UInt64 {
    let held = told.values.reduce(Frontier.nothing) { $0.union($1.frontier) }
    // The device has its own events, regardless of what it has stated about them.
    return store.frontier.growth(since: held).filter { told[$0.key] == nil }
      .reduce(0) { $0 + $1.value }
  }

  /// The number of events that a peer holds and that are missing here.
  ///
  /// An unknown branch is counted as at least one event.
  package func countOfLacking(of other: Frontier) throws(DaybookError) -> UInt64 {
    let ours = store.frontier
    let growth = other.growth(since: ours)
    var count: UInt64 = 0
    for replica in other.replicas {
      let isKnown = try holdsEvents(at: other.places(of: replica))
      // If the end of the log is held here, the ranges contain exactly the missing events.
      let lacking = other.events(of: replica).without(ours.events(of: replica))
      count += isKnown ? lacking.reduce(0) { $0 + UInt64($1.count) } : growth[replica] ?? 0
    }
    return count
  }

  private func holdsEvents(at places: ArraySlice<Place>) throws(DaybookError) -> Bool {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      for place in places where try !store.journal.holdsEvent(at: place) { return false }
      return true
    }
  }

  /// The peer with the given name.
  package func contact(called name: String) throws(DaybookError) -> Contact {
    guard let contact = try contacts().first(where: { $0.name == name }) else {
      throw .noSuchPeer(name)
    }
    return contact
  }

  /// Remembers the address of a peer.
  ///
  /// A known peer with that name gets the new address.
  package func addPeer(_ name: String, at address: PeerAddress) throws(DaybookError) {
    try checkPeerName(name)
    try changeContacts { contacts throws(DaybookError) in
      if let place = contacts.index(of: name) {
        let former = contacts.contacts[place]
        guard former.address != address else { return }
        // A machine at a new address is identified by its key. Nothing is known about a new folder, bucket or file.
        if former.address.map({ $0.machine == nil }) ?? false || address.machine == nil {
          contacts.contacts[place] = Contact(name: name, address: address)
        } else {
          contacts.contacts[place].address = address
        }
      } else {
        guard contacts.contacts.count < Contacts.most else { throw .tooManyPeers }
        contacts.contacts.append(Contact(name: name, address: address))
      }
    }
  }

  /// Remembers the address of a sync as a new peer, under the given name or a similar free name.
  ///
  /// - Returns: The name of the peer; nil if none was added, because the address is already known or the list is full.
  package func meet(_ address: PeerAddress, called name: String) throws(DaybookError) -> String? {
    try changeContacts { contacts in
      let isKnown = contacts.contacts.contains { $0.address == address }
      guard !isKnown, contacts.contacts.count < Contacts.most else { return nil }
      let free = contacts.free(name)
      var contact = Contact(name: free, address: address, synced: store.folder.now)
      contact.state = heldState
      contacts.contacts.append(contact)
      return free
    }
  }

  /// Remembers that a folder is a sealed store, either as the address of the peer that has the folder, or as a new
  /// peer.
  ///
  /// Otherwise, readable files would be written into the folder while the store is missing, for example because its
  /// disk is not mounted.
  func seal(_ address: StoreAddress) throws(DaybookError) {
    let peer = PeerAddress.store(address)
    try changeContacts { contacts throws(DaybookError) in
      if let place = contacts.contacts.firstIndex(where: { $0.address?.isSame(as: peer) == true }) {
        guard contacts.contacts[place].address != peer else { return }
        (contacts.contacts[place].address, contacts.contacts[place].waiting) = (peer, nil)
      } else {
        guard contacts.contacts.count < Contacts.most else { throw .tooManyPeers }
        contacts.contacts.append(
          Contact(name: contacts.free(address.place.name), address: peer))
      }
    }
  }

  package func renamePeer(_ name: String, to newName: String) throws(DaybookError) {
    try checkPeerName(newName)
    try changeContacts { contacts throws(DaybookError) in
      guard let place = contacts.index(of: name) else { throw .noSuchPeer(name) }
      guard newName == name || contacts.index(of: newName) == nil else {
        throw .peerNameTaken(newName)
      }
      contacts.contacts[place].name = newName
      contacts.contacts[place].namesake = nil
    }
  }

  /// Forgets the address of a peer.
  ///
  /// The peer's events are kept, and it remains a device of the book.
  package func forgetPeer(_ name: String) throws(DaybookError) -> Contact {
    let contact = try changeContacts { contacts throws(DaybookError) in
      guard let place = contacts.index(of: name) else { throw .noSuchPeer(name) }
      return contacts.contacts.remove(at: place)
    }
    if let location = contact.address?.memoryLocation {
      // The file only makes repeated reads of the folder unnecessary.
      try? store.machine.disk.remove(store.layout.memory(of: location))
    }
    return contact
  }

  /// Refuses a name that is empty or too long, contains control characters, or looks like an address or a path.
  private func checkPeerName(_ name: String) throws(DaybookError) {
    let isPlain = !name.isEmpty && name.utf8.count <= Device.nameBytes
    guard isPlain, name != "-", name != ".", name != "..", !name.contains("/"),
      !Invitation.isMeant(by: name), !name.unicodeScalars.contains(where: { $0.value < 0x20 })
    else { throw .badPeerName(name) }
  }

  /// The peers, each with the current name of its device, unless the user has chosen a name.
  private func namedContacts() throws(DaybookError) -> Contacts {
    var contacts = try readContacts()
    guard contacts.contacts.contains(where: { $0.namesake != nil }) else { return contacts }
    let devices = try deviceList.devicesWithoutClocks()
    for place in contacts.contacts.indices {
      guard let key = contacts.contacts[place].key,
        let device = devices.first(where: { $0.key == key.bytes })
      else { continue }
      contacts.follow(device.name, at: place)
    }
    return contacts
  }

  private func readContacts() throws(DaybookError) -> Contacts {
    do {
      return try Contacts(
        parsing: store.machine.disk.contents(
          of: store.layout.contacts, limit: 1 << 20))
    } catch let error as ContactsFault {
      throw .contacts(store.layout.contacts, error)
    } catch let error as DiskError {
      guard error.reason == .notFound else { throw .disk(error) }
      return Contacts()
    } catch {
      preconditionFailure("reading throws no other errors: \(error)")
    }
  }

  @discardableResult
  func changeContacts<Value>(
    _ change: (inout Contacts) throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    try access.withLock { () throws(DaybookError) in
      var contacts = try namedContacts()
      let value = try change(&contacts)
      try wrap(DaybookError.disk) { () throws(DiskError) in
        try store.machine.disk.replace(store.layout.contacts, with: contacts.bytes)
      }
      return value
    }
  }

  /// Remembers a device that was met through an invitation.
  func meet(_ key: PublicKey, called name: String, at address: PeerAddress?) throws(DaybookError) {
    let now = store.folder.now
    try whereReadable { () throws(DaybookError) in
      try changeContacts { $0.meet(key, called: name, at: address, now: now) }
    }
  }

  /// Records that a sync with a peer has finished.
  func noteSync(with syncOutcome: SyncOutcome, at address: PeerAddress?) throws(DaybookError) {
    try whereReadable { () throws(DaybookError) in
      let devices = try deviceList.devicesWithoutClocks()
      let key = devices.first { $0.replica == syncOutcome.peer }?.key
      let former = Set(devices.filter(\.isFormerKey).map(\.key))
      func isMeant(_ contact: Contact) -> Bool {
        if let known = contact.address, let address, known.isSame(as: address) { return true }
        guard let known = contact.key?.bytes else { return false }
        return known == key
      }
      guard try readContacts().contacts.contains(where: isMeant) else { return }
      let (now, state) = (store.folder.now, heldState)
      try peerNotes.noteWhereRoom(in: store.layout.contacts) { () throws(DaybookError) in
        try changeContacts { contacts in
          for place in contacts.contacts.indices where isMeant(contacts.contacts[place]) {
            (contacts.contacts[place].synced, contacts.contacts[place].state) = (now, state)
            // The device may have changed its key since.
            let isLeft = contacts.contacts[place].key.map { former.contains($0.bytes) } ?? true
            if isLeft, let shown = syncOutcome.peerKey {
              contacts.contacts[place].key = shown
              contacts.contacts[place].expectedWords = nil
            }
          }
        }
      }
    }
  }

  /// Records how many objects of a sealed store waited for a key in an exchange, even if the exchange did not finish.
  func noteWaiting(_ count: Int, at address: PeerAddress) throws(DaybookError) {
    try whereReadable { () throws(DaybookError) in
      func isMeant(_ contact: Contact) -> Bool {
        contact.address == address && (contact.waiting != nil || count > 0)
      }
      guard try readContacts().contacts.contains(where: isMeant) else { return }
      let waiting = count > 0 ? WaitingObjects(count: count, seen: store.folder.now) : nil
      try peerNotes.noteWhereRoom(in: store.layout.contacts) { () throws(DaybookError) in
        try changeContacts { contacts in
          for place in contacts.contacts.indices where isMeant(contacts.contacts[place]) {
            contacts.contacts[place].waiting = waiting
          }
        }
      }
    }
  }

  /// The remembered peers with objects that waited for a key when this device last saw them; none if the list of peers
  /// is damaged.
  package func waitingPeers() throws(DaybookError) -> [Contact] {
    var waiting: [Contact] = []
    try whereReadable { () throws(DaybookError) in
      waiting = try contacts().filter { $0.waiting != nil }
    }
    return waiting
  }

  /// The remembered folders that are not sealed; none if the list of peers is damaged.
  package func openFolders() throws(DaybookError) -> [Path] {
    var folders: [Path] = []
    try whereReadable { () throws(DaybookError) in
      folders = try contacts().compactMap { contact in
        if case .directory(let folder)? = contact.address { folder } else { nil }
      }
    }
    return folders
  }

  /// Runs a function that uses the contacts, and ignores the error if their file cannot be read.
  ///
  /// A damaged file must not make a sync or a report fail. The damage is reported when the content of the file is
  /// needed.
  private func whereReadable(_ body: () throws(DaybookError) -> Void) throws(DaybookError) {
    do throws(DaybookError) { try body() } catch .contacts { return } catch { throw error }
  }

  /// Remembers the events that a peer last reported holding.
  ///
  /// Only logs of the book are recorded, because an unknown device can use any name and claim to hold any log. The
  /// statement replaces the earlier one even if it has fewer events, because a peer may have been restored from a
  /// backup.
  ///
  /// `heard` contains the devices whose events were received.
  func notePeer(_ syncOutcome: SyncOutcome, hearing heard: [UniqueID]) throws(DaybookError) {
    let places = syncOutcome.peerFrontier.places.filter {
      store.journal.end(of: $0.log, on: .logs) != nil
    }
    let peer = syncOutcome.peer.flatMap {
      store.journal.end(of: $0, on: .logs) != nil && !places.isEmpty ? $0 : nil
    }
    let heard = heard.compactMap { replica in
      store.journal.end(of: replica, on: .logs).map { (replica, $0.time) }
    }
    guard peer != nil || !heard.isEmpty else { return }
    let name = try peer.flatMap { peer throws(DaybookError) in
      try deviceList.devicesWithoutClocks().first { $0.replica == peer }?.name
    }
    let now = store.folder.now
    try peerNotes.noteWhereRoom(in: store.layout.peers) { () throws(DaybookError) in
      try peerNotes.changePeers { peers in
        if let peer {
          peers.peers[peer] = Peers.Peer(name: name ?? peer.hex, frontier: Frontier(places))
        }
        for (replica, time) in heard {
          let (lead, isTooFar) = time.subtractingReportingOverflow(now)
          peers.heard[replica] = Peers.Heard(
            time: now, lead: isTooFar ? (time < 0 ? .min : .max) : lead)
        }
      }
    }
  }
}

/// A remembered peer, with its known state.
package struct KnownPeer: Sendable {
  package var contact: Contact
  /// The words of the peer's key.
  package var fingerprint: [String]?
  /// The number of events of this book that the peer may lack; nil if unknown.
  package var lacking: UInt64?
  /// Whether the peer lacks events.
  ///
  /// For a peer that never states which events it holds, this is whether the book has changed since the last sync with
  /// it.
  package var isBehind: Bool
}
