import Daybook
import Phrasing
import Platform

extension Finding {
  /// The subject of the finding, in one or two words.
  var subject: String {
    switch self {
    case .chain: "chain"
    case .holes: "holes"
    case .trust: "trust"
    case .bodies: "bodies"
    case .forks: "forks"
    case .poison: "flushes"
    case .clock: "clock"
    case .future: "others' clocks"
    case .past: "slow clocks"
    case .misdated: "dates"
    case .lock: "lock"
    case .room: "room"
    case .writing: "writing"
    case .view: "view"
    case .peers: "peers"
    case .contacts: "contacts"
    case .folders: "folders"
    case .unopened: "unopened"
    case .key: "key"
    case .storeKeys: "store keys"
    case .permissions: "permissions"
    case .place: "place"
    case .leftovers: "leftovers"
    case .quarantine: "quarantine"
    case .stranded: "stranded"
    case .incarnations: "logs"
    case .readers: "readers"
    case .leftBehind: "admitted"
    case .quotas: "quotas"
    case .claims: "claims"
    case .waiting: "waiting"
    case .held: "erasures"
    case .erasureLeft: "erased bytes"
    case .joining: "joining"
    case .standing: "standing"
    }
  }

  /// The finding and the advice, in one or two sentences.
  func text(at timekeeper: any Timekeeper) -> String {
    switch self {
    case .chain(let faults, let logs, let events): Self.chain(faults, logs, events)
    case .holes(let events, let accepted):
      events == 0
        ? "no event is missing"
          + (accepted == 0 ? "" : ", apart from \(Self.count(accepted, "event")) accepted as lost")
        : "\(Self.count(events, "event")) cannot be read; "
          + "to restore \(events == 1 ? "it" : "them") from a peer that has \(events == 1 ? "it" : "them"), "
          + "run 'daybook verify --repair PEER'"
    case .trust(let remembered, let isCopied):
      remembered == 0
        ? "all events that decide who may write can be read"
          + (isCopied
            ? ""
            : ", but the file 'trust' does not contain copies of all of them; the next sync adds the rest")
        : "\(Self.count(remembered, "event")) that \(remembered == 1 ? "decides" : "decide") who may write cannot be read; "
          + "\(remembered == 1 ? "its copy in the file 'trust' applies" : "their copies in the file 'trust' apply") "
          + "until 'daybook verify --repair PEER' restores \(remembered == 1 ? "it" : "them")"
    case .bodies(let count, let accepted):
      count == 0
        ? "every body is present or has been erased"
          + (accepted == 0 ? "" : ", or has been accepted as lost (\(accepted))")
        : "\(Self.count(count, "body is", "bodies are")) missing, and no erasure explains why; "
          + "to fetch \(count == 1 ? "it" : "them"), sync with another device"
    case .forks(let devices): Self.forks(devices)
    case .poison(let isThere):
      isThere
        ? "the disk once failed to keep written data; copy the folder to another disk before you continue"
        : "the disk has kept all written data"
    case .clock(let now, let isSane, let unknownZone):
      timekeeper.localText(of: now)
        + (isSane ? "" : "; this is wrong, so set this machine's clock before you write anything")
        + (unknownZone.map { zone in
          "; this machine knows no time zone '\(zone.visible)', so it uses UTC; set TZ to a zone such as Europe/Berlin"
        } ?? "")
    case .future(let devices): Self.future(devices)
    case .misdated(let count):
      count == 0
        ? "no event is dated more than a day ahead"
        : "\(Self.count(count, "event is", "events are")) dated more than a day ahead, "
          + "because a clock was wrong then or this machine's clock is slow now; "
          + "'daybook log' marks \(count == 1 ? "it, and its date" : "them, and their dates") cannot be changed, "
          + "but 'daybook edit ID --created-at TIME' and 'daybook edit ID --completed-at TIME' correct the times that a to-do shows"
    case .past(let devices): Self.past(devices)
    case .lock(let state): state.text
    case .room(let free): Self.room(free, verdict)
    case .writing(let error):
      // Doctor cannot determine what a failed command has left behind.
      error.map { String($0.told.having(done: "").text.dropLast()) }
        ?? "a test file was written and flushed to the disk"
    case .view(let state): state.text
    case .peers(let peers, let rejecting):
      rejecting.isEmpty
        ? Self.peers(peers) : OwnEventNotices.rejection(by: rejecting)
    case .contacts(let state): state.text
    case .folders(let folders): folders.text
    case .unopened(let unopened):
      unopened.map { $0.text(timekeeper) }.joined(separator: ". ")
    case .key(let state): state.text
    case .storeKeys(let state): state.text
    case .permissions(let paths, let links): Self.permissions(paths, links: links)
    case .place(let state): state.text
    case .leftovers(let pile): Self.leftovers(pile)
    case .quarantine(let pile): Self.quarantine(pile)
    case .stranded(let count): Self.stranded(count)
    case .incarnations(let count):
      "this device has written \(Self.count(count, "log")) under its key"
    case .readers(let count, let silent, let lost, let openFolders, let hasRevoked):
      ([Self.readers(count, silent, lost)]
        + (openFolders.isEmpty
          ? [] : [OpenFolderWords.text(openFolders, hasRevoked: hasRevoked)]))
        .joined(separator: "; ")
    case .leftBehind(let devices, let canDecide): Self.leftBehind(devices, canDecide)
    case .quotas(let devices, let heldBack):
      heldBack.isEmpty ? Self.quotas(devices) : Self.heldBack(heldBack)
    case .claims(let devices): Self.claims(devices)
    case .waiting(let devices, let canDecide): Self.waiting(devices, canDecide)
    case .held(let held):
      held.isEmpty
        ? "no erasures by other devices are held"
        : held.map { "\($0.words): \($0.advice)" }.joined(separator: ". ")
    case .erasureLeft: Self.erasedBytesWords
    case .joining(let joins): joins.texts(timekeeper).joined(separator: "; ")
    case .standing(let standing, let hasTrustedDevice):
      standing.text(at: timekeeper, hasTrustedDevice: hasTrustedDevice)
    }
  }

  /// The consequence of an erasure that is not finished.
  static let erasedBytesWords =
    "the bytes of erased records are still in files on this device; "
    + "the next command that writes, compacts or syncs removes them, and until then, this device sends nothing"

  /// The consequence of an erasure for which the files have not been read since it was begun or the view was rebuilt.
  static let unconfirmedErasureWords =
    "the files on this device may still contain bytes of erased records; "
    + "the next command that writes, compacts or syncs checks them, and until then, this device sends nothing"

  private static func stranded(_ count: UInt64) -> String {
    if count == 0 { return "no event of this device follows a lost event" }
    let (verb, it) = count == 1 ? ("follows", "it") : ("follow", "them")
    return
      "\(Self.count(count, "event")) of this device \(verb) lost events, so no other device can accept \(it); "
      + "to repair this, run 'daybook verify --repair PEER', where PEER is a copy that contains the lost events"
  }

  private static func chain(_ faults: Int, _ logs: Int, _ events: Int) -> String {
    let held = "\(count(logs, "log")), \(count(events, "event"))"
    return faults == 0
      ? "\(held), every byte read"
      : "\(held), \(count(faults, "fault")); 'daybook verify' lists \(faults == 1 ? "it" : "them"), "
        + "and, with --repair PEER, restores what that peer still has"
  }

  private static func forks(_ devices: [Counted]) -> String {
    if devices.isEmpty { return "no member's log has forked" }
    let names = devices.map { "\($0.name.visible) (\($0.count.counted("branch", "branches")))" }
      .joined(separator: ", ")
    return "\(names): either an old copy was written to, or two machines share a key; "
      + "if they share a key, run 'daybook device rekey' on one of them, then 'daybook device revoke WORDS' with the words of the old key "
      + "and with --keep NAME for each other device that the old key alone admitted; the other machine is then revoked, "
      + "so run 'daybook device rekey' there as well, and admit its new key"
  }

  private static func future(_ devices: [Counted]) -> String {
    if devices.isEmpty { return "no device is ahead" }
    let names = devices.map { device in
      "\(device.name.visible) is \(ClockWords.span(device.count)) ahead"
    }
    return names.joined(separator: ", ")
      + "; set \(devices.count == 1 ? "that device's clock" : "the clocks of those devices"), "
      + "or this device's clock if this device is behind"
  }

  private static func past(_ devices: [Counted]) -> String {
    let names = devices.map { device in
      "\(device.name.visible) is \(ClockWords.span(device.count)) behind"
    }
    return names.joined(separator: ", ")
      + "; set \(devices.count == 1 ? "that device's clock" : "the clocks of those devices"), "
      + "or this device's clock if this device is ahead"
  }

  private static func claims(_ devices: [String]) -> String {
    let isOne = devices.count == 1
    let (verb, they) = isOne ? ("claims", "it") : ("claim", "they")
    return
      "\(devices.map(\.visible).joined(separator: ", ")) \(verb) that this device's log contains events "
      + "that this device has not written; "
      + "unless an old copy has replaced the files of this device, \(they) cannot be trusted, "
      + "so see what \(they) wrote with 'daybook log --by NAME', "
      + "or revoke \(isOne ? "it" : "them") with 'daybook device revoke NAME'"
  }

  private static func room(_ free: Int?, _ verdict: Diagnosis.Verdict) -> String {
    guard let free else { return "the disk does not report its free space" }
    // If the free space is unlimited, there is no number to show.
    let told = free == .max ? "unlimited space" : "\(size(free)) free"
    return verdict == .ok ? told : told + "; make room before the disk is full"
  }

  private static func peers(_ peers: [Counted]) -> String {
    if peers.isEmpty {
      return
        "no peer has reported which events it holds (folders never do); sync regularly to keep a second copy"
    }
    let behind = peers.filter { $0.count > 0 }
    if behind.isEmpty { return "\(count(peers.count, "peer")), none behind" }
    // A peer may have received the events since then in another way, such as through a shared folder.
    let lacking = behind.map { "\($0.name.visible) lacks \(count($0.count, "event"))" }
      .joined(separator: ", ")
    return "as of the last direct sync, \(lacking); sync with \(behind.count == 1 ? "it" : "them")"
  }

  private static func permissions(_ paths: [Path], links: [Path]) -> String {
    if paths.isEmpty && links.isEmpty { return "only you can access the folder and the keys" }
    var parts: [String] = []
    if !paths.isEmpty {
      parts = [
        "others can access \(list(paths))",
        "restrict folders with chmod 700, and keys with 'daybook doctor --tidy'",
      ]
    }
    if !links.isEmpty {
      parts += [
        "keys must be regular files, and \(list(links)) \(links.count == 1 ? "is not" : "are not")",
        "replace each link with the file that it points to, or remove it",
      ]
    }
    return parts.joined(separator: "; ")
  }

  private static func list(_ paths: [Path]) -> String {
    paths.map(\.string.visible).joined(separator: ", ")
  }

  private static func leftovers(_ pile: Pile) -> String {
    pile.files == 0
      ? "none"
      : "\(words(pile)) left unfinished by a crash; 'daybook doctor --tidy' removes any that are old enough"
  }

  private static func quarantine(_ pile: Pile) -> String {
    pile.files == 0
      ? "empty"
      : "\(words(pile)) with data that could not be read in its place in the logs; remove \(pile.files == 1 ? "it" : "them") only once 'daybook verify' finds no faults"
  }

  private static func readers(_ count: Int, _ silent: [String], _ lost: [String]) -> String {
    func names(_ devices: [String]) -> String { devices.map(\.visible).joined(separator: ", ") }
    var parts = ["\(count.counted("key")) can read and write the book"]
    if !silent.isEmpty {
      parts.append("\(names(silent)) \(silent.count == 1 ? "has" : "have") written nothing")
    }
    if !lost.isEmpty {
      parts.append("this device lacks the \(lost.count == 1 ? "log" : "logs") of \(names(lost))")
    }
    return parts.joined(separator: "; ")
  }

  private static func leftBehind(_ devices: [LeftBehind], _ canDecide: Bool) -> String {
    if devices.isEmpty { return "every device was admitted by a current member" }
    let advice = devices.map { device in
      let words = device.fingerprint.prefix(2).joined(separator: "-")
      let reason =
        device.revoked.map { "takes part only through revoked devices, such as \($0.visible)" }
        ?? "was revoked"
      return "\(device.name.visible) was admitted by \(device.author.visible), which \(reason); "
        + "if you recognize the admitted device, run 'daybook device admit \(words)' to keep it; "
        + "otherwise, run 'daybook device revoke \(words)' to remove it"
    }
    return advice.joined(separator: ". ") + (canDecide ? "" : elsewhere)
  }

  private static func quotas(_ devices: [Counted]) -> String {
    if devices.isEmpty {
      return
        "no device has used \(notableQuotaPercent)% of its quota; 'daybook sync' names devices that exceed their quotas"
    }
    let names = devices.map { "\($0.name.visible) has used \($0.count)% of its quota" }
    let name = word(forOneOf: devices.map(\.name))
    return
      "\(names.joined(separator: ", ")); to raise a quota, run 'daybook device quota \(name)' with --events, --size or --logs; "
      + "to remove a device that floods the book, run 'daybook device revoke \(name)'"
  }

  private static func heldBack(_ devices: [String]) -> String {
    let names = devices.map(\.visible).joined(separator: ", ")
    return
      "events from \(names) exceed \(devices.count == 1 ? "its quota" : "their quotas") and are not accepted yet; "
      + "run 'daybook device quota \(word(forOneOf: devices))' with --events, --size or --logs "
      + "to raise \(devices.count == 1 ? "it" : "one"), and the next sync fetches the events"
  }

  private static func waiting(_ devices: [Newcomer], _ canDecide: Bool) -> String {
    if devices.isEmpty { return "no device is waiting to be admitted" }
    let plain = devices.filter { $0.sponsor == nil }.map(\.name)
    let unknown =
      plain.isEmpty
      ? []
      : [
        "\(plain.map(\.visible).joined(separator: ", ")) \(plain.count == 1 ? "is" : "are") waiting; "
          + "if you recognize \(plain.count == 1 ? "it" : "them"), run 'daybook device admit \(word(forOneOf: plain))'"
      ]
    let sponsored = devices.compactMap { device in
      device.sponsor.map { sponsor in
        let words = device.fingerprint.prefix(2).joined(separator: "-")
        return
          "\(device.name.visible): \(sponsor.words); if the waiting device is not yours, run 'daybook device revoke \(words)' "
          + "to remove it; if it is, run 'daybook device admit \(words)' to admit it"
      }
    }
    return (unknown + sponsored).joined(separator: ". ") + (canDecide ? "" : elsewhere)
  }

  /// Returns the only device as an argument of a command, or a placeholder if there are several.
  private static func word(forOneOf devices: [String]) -> String {
    devices.count == 1 ? devices[0].quoted.visible : "NAME"
  }

  /// Text to append to advice that this device cannot carry out because it is not admitted or was revoked.
  private static let elsewhere =
    "; run these commands on an admitted device, because this device is not one"

  private static func words(_ pile: Pile) -> String {
    "\(count(pile.files, "file")), \(size(pile.bytes)),"
  }

  private static func count(
    _ number: some BinaryInteger, _ one: String, _ many: String? = nil
  ) -> String {
    number.counted(one, many)
  }

  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<(10 << 10): "\(bytes) bytes"
    case ..<(10 << 20): "\(bytes >> 10) KiB"
    case ..<(10 << 30): "\(bytes >> 20) MiB"
    default: "\(bytes >> 30) GiB"
    }
  }
}

extension BinaryInteger {
  /// A count with its noun, such as `1 event` or `2 events`.
  func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }
}
