import Bytes
import Crypto
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel
import Syncing

/// The result of a sync with one peer, for the list on the page.
struct SyncNote: Equatable, Sendable {
  var number: Int
  var time: Int64
  var peer: String
  var words: String
  var isGood: Bool
}

/// Makes the leaf of devices and peers.
struct DevicesView {
  let page: PageSnapshot

  /// Returns the devices of the book, the other peers, and the latest syncs.
  func view(syncs: [SyncNote], standing: PageStatus) throws -> PageView {
    let devices = try page.book.deviceList.devices().filter { !$0.isFormerKey }
    let peers = try page.book.contactBook.knownPeers()
    var view = PageView(
      PageView.Head(margin: standing.state.sign, title: "Devices", line: standing.sentence))
    view.add("devices", "In this book", rank: 0, devices.map { row($0, among: peers) })
    let strangers = peers.filter { peer in
      !devices.contains { $0.key == peer.contact.key?.bytes }
    }
    view.add("peers", "Places to sync with", rank: 1, strangers.map(row))
    view.add("syncs", "Last syncs", rank: 2, syncs.reversed().map(row))
    let status = try page.book.statusReader.status()
    // The digest does not include events that take effect only here, so comparing it would be misleading.
    let words = status.shownAlone == 0 ? status.words.joined(separator: " ") : nil
    view.more = .object(
      ("invite", .array(["daybook serve --listen 0.0.0.0:7771", "daybook invite"])),
      ("digest", words.map { .string($0) } ?? .null),
      ("canSync", .boolean(page.isNow && peers.contains { $0.contact.address != nil })))
    return view
  }

  private func row(_ device: Device, among peers: [KnownPeer]) -> PageRow {
    let peer = peers.first { $0.contact.key?.bytes == device.key }
    var row = PageRow("device", key: device.replica.hex, device.logName.visible)
    let heard = device.isThis ? nil : peer?.contact.synced ?? device.lastHeard
    row.when = PageRow.When(text: device.isThis ? "now" : heard.map { agoWords($0) } ?? "never")
    let state = state(of: device, peer)
    row.note = [
      device.isThis ? counted(device.events, "change", "changes") : holdingWords(peer),
      peer?.contact.address.map(\.text),
    ].compactMap(\.self).joined(separator: " · ")
    row.more = .object(
      ("this", .boolean(device.isThis)), ("state", .string(state.name)),
      ("stateWords", .string(state.words)))
    return row
  }

  private func state(of device: Device, _ peer: KnownPeer?) -> (name: String, words: String) {
    if device.standing == .revoked { return ("revoked", "revoked") }
    if device.standing == .waiting { return ("behind", "not admitted") }
    if device.isThis { return ("in-step", "in step") }
    guard let lacking = peer?.lacking else { return ("away", "unknown") }
    return lacking == 0 ? ("in-step", "in step") : ("behind", "behind")
  }

  private func holdingWords(_ peer: KnownPeer?) -> String {
    guard let peer else { return "not a peer of this device" }
    guard let lacking = peer.lacking else { return "contents not known" }
    return lacking == 0
      ? "has everything" : "\(counted(lacking, "change", "changes")) behind"
  }

  private func row(_ peer: KnownPeer) -> PageRow {
    var row = PageRow("device", key: "peer \(peer.contact.name)", peer.contact.name.visible)
    row.when = PageRow.When(text: peer.contact.synced.map { agoWords($0) } ?? "never")
    row.note = peer.contact.address.map(\.text.visible)
    row.more = .object(
      ("this", false), ("state", "away"),
      ("stateWords", .string(peer.contact.synced == nil ? "not synced since it was added" : "")))
    return row
  }

  private func row(_ note: SyncNote) -> PageRow {
    var row = PageRow("sync", key: "sync \(note.number)", note.peer.visible)
    row.when = PageRow.When(text: page.marginWords(note.time), tone: note.isGood ? .plain : .late)
    row.note = note.words
    return row
  }

  /// Returns the elapsed time for the margin or, after an hour, the time itself.
  private func agoWords(_ time: Int64) -> String {
    let timekeeper = page.book.machine.timekeeper
    let seconds = (timekeeper.now().milliseconds - time) / 1_000
    switch seconds {
    case ..<60: return "just now"
    case 60..<3_600: return "\(seconds / 60) min ago"
    default: return page.marginWords(time)
    }
  }
}

/// How far this book is in step with other devices, as a sign, a few words and a sentence.
struct PageStatus: Equatable, Sendable {
  enum State: String, Sendable {
    case inStep = "in-step"
    case sending
    case trouble
    case alone

    var sign: String {
      switch self {
      case .inStep: "●"
      case .sending: "◐"
      case .trouble: "▲"
      case .alone: "○"
      }
    }
  }

  var state: State
  var words: String
  var sentence: String

  var json: JSON {
    .object(("state", .string(state.rawValue)), ("words", .string(words)))
  }
}

extension PageStatus {
  /// Determines the status from the events that this device holds, without contacting a peer.
  init(of book: Book, isSyncing: Bool, trouble: String?) throws {
    if isSyncing {
      self.init(state: .sending, words: "syncing", sentence: "Syncing now.")
      return
    }
    if let trouble {
      self.init(state: .trouble, words: "sync failed", sentence: trouble)
      return
    }
    let loss = try book.losses.knownLoss()
    let missing = loss.gaps.reduce(0) { $0 + $1.range.count }
    if loss.lacksBeginning {
      self.init(
        state: .trouble, words: "beginning missing",
        sentence:
          "This device lacks the event that began this book, so changes by other devices are not shown. "
          + "Run “daybook verify” for details.")
      return
    }
    guard missing == 0 else {
      self.init(
        state: .trouble, words: "\(counted(missing, "event", "events")) missing",
        sentence:
          "\(counted(missing, "event of this book is", "events of this book are")) missing on this device, "
          + "so \(missing == 1 ? "its change is" : "their changes are") not shown. Run “daybook verify” for details."
      )
      return
    }
    let peers = try book.contactBook.knownPeers().filter { !$0.contact.isBundle }
    let behind = peers.filter(\.isBehind).map(\.contact.name.visible)
    if peers.isEmpty {
      let others = try book.deviceList.devices().filter { !$0.isThis && $0.standing != .revoked }
      self.init(
        state: .alone, words: others.isEmpty ? "on this device only" : "no place to sync with",
        sentence: others.isEmpty
          ? "This book is on this device only. Add another device to protect the book against loss."
          : "This device has no place to sync with. Add one with “daybook peer add NAME DIR”.")
    } else if behind.isEmpty {
      self.init(
        state: .inStep, words: "in step",
        sentence: "In step with \(peers.map(\.contact.name.visible).joined(separator: ", ")).")
    } else {
      self.init(
        state: .sending, words: "not sent yet",
        sentence: "Not everything is on \(behind.joined(separator: ", ")) yet.")
    }
  }
}
