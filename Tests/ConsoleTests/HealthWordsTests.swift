import Daybook
import Platform
import SimulatedPlatform
import Testing

@testable import Console

/// The sentences of `doctor`.
struct HealthWordsTests {
  private static func unusable(_ what: String) -> String {
    "\(what), so nothing can be written; restore it from a backup. Without a backup, start over: "
      + "run 'daybook export -o kept.jsonl', then 'daybook -C DIR join PEER' (or, if there is no other device, "
      + "'daybook -C DIR add …' for a new book), then 'daybook -C DIR import kept.jsonl'. "
      + "That file contains no deletions, merges or erasures; "
      + "if the join brings back records that you deleted, merged or erased, delete, merge or erase them again"
  }

  private static func folder(_ name: String, _ state: FolderPeer.State) -> FolderPeer {
    FolderPeer(name: name, path: Path("/media/\(name)"), state: state)
  }

  private static let words: [(Finding, String)] = [
    (
      .stranded(1),
      "1 event of this device follows lost events, so no other device can accept it; "
        + "to repair this, run 'daybook verify --repair PEER', where PEER is a copy that contains the lost events"
    ),
    (
      .stranded(2),
      "2 events of this device follow lost events, so no other device can accept them; "
        + "to repair this, run 'daybook verify --repair PEER', where PEER is a copy that contains the lost events"
    ),
    (
      .chain(faults: 1, logs: 2, events: 1),
      "2 logs, 1 event, 1 fault; 'daybook verify' lists it, and, with --repair PEER, restores what that peer still has"
    ),
    (
      .holes(events: 2),
      "2 events cannot be read; to restore them from a peer that has them, run 'daybook verify --repair PEER'"
    ),
    (.holes(events: 0, accepted: 1), "no event is missing, apart from 1 event accepted as lost"),
    (
      .bodies(0, accepted: 2),
      "every body is present or has been erased, or has been accepted as lost (2)"
    ),
    (
      .trust(remembered: 1),
      "1 event that decides who may write cannot be read; its copy in the file 'trust' applies until "
        + "'daybook verify --repair PEER' restores it"
    ),
    (
      .trust(remembered: 0, isCopied: false),
      "all events that decide who may write can be read, but the file 'trust' does not contain copies of all of them; "
        + "the next sync adds the rest"
    ),
    (
      .misdated(1),
      "1 event is dated more than a day ahead, because a clock was wrong then or this machine's clock is slow now; "
        + "'daybook log' marks it, and its date cannot be changed, "
        + "but 'daybook edit ID --created-at TIME' and 'daybook edit ID --completed-at TIME' correct the times that a to-do shows"
    ),
    (
      .clock(now: 1_795_165_200_000, isSane: true, unknownZone: "Mars/Base"),
      "2026-11-20 09:00; this machine knows no time zone 'Mars/Base', so it uses UTC; set TZ to a zone such as Europe/Berlin"
    ),
    (
      .forks([Finding.Counted(name: "desk", count: 2)]),
      "desk (2 branches): either an old copy was written to, or two machines share a key; if they share a key, "
        + "run 'daybook device rekey' on one of them, then 'daybook device revoke WORDS' with the words of the old key "
        + "and with --keep NAME for each other device that the old key alone admitted; "
        + "the other machine is then revoked, so run 'daybook device rekey' there as well, and admit its new key"
    ),
    (
      .folders([
        folder("stick", .sound), folder("a b", .away),
        folder("nas", .emptied(since: 1_795_165_200_000)),
      ]),
      "a b: /media/a b is not available; plug it in or mount it, or run 'daybook peer forget \"a b\"' if it is gone for good. "
        + "nas: /media/nas contains no book, although this book was synced with it on 2026-11-20; mount its disk, or, "
        + "if it was emptied on purpose, run 'daybook peer forget nas', then 'daybook peer add nas /media/nas'"
    ),
    (
      .folders([
        folder("stick", .lacking),
        folder("nas", .closed(DiskError(.write, Path("/media/nas/b"), .readOnly))),
      ]),
      "stick: /media/stick contains nothing of this book; 'daybook sync stick' writes the book there. "
        + "nas: cannot write into /media/nas/b: it is on a read-only disk"
    ),
    (
      .folders([folder("stick", .sound)]),
      "stick contains this book, and this device can write into it"
    ),
    (
      .folders([folder("stick", .sound), folder("nas", .sound)]),
      "stick, nas contain this book, and this device can write into them"
    ),
    (.key(.missing(Path("/k"))), unusable("/k is missing")),
    (.key(.unreadable(Path("/k"))), unusable("/k cannot be read or used")),
    (
      .key(.other(Path("/k"))),
      unusable("/k is not the key of the log that this device writes")
    ),
    (
      .bodies(1),
      "1 body is missing, and no erasure explains why; to fetch it, sync with another device"
    ),
    (.room(freeBytes: 5 << 20), "5120 KiB free; make room before the disk is full"),
    (.room(freeBytes: nil), "the disk does not report its free space"),
    (
      .writing(DiskError(.write, Path("/b/1.gz"), .permission)),
      "cannot write /b/1.gz: permission denied; check its owner and permissions"
    ),
    (
      .writing(DiskError(.open, Path("/b/.probe.draft"), .full)),
      "cannot write into /b: the disk is full, or this user has reached a quota or a limit on file sizes. "
        + "Free some space, or raise the limit"
    ),
    (.lock(.held(by: "12")), "process 12 is writing; if it hangs, end it"),
    (
      .peers([Finding.Counted(name: "desk\u{1B}", count: 1)]),
      "as of the last direct sync, desk\\u{1b} lacks 1 event; sync with it"
    ),
    (
      .peers([
        Finding.Counted(name: "desk", count: 1), Finding.Counted(name: "phone", count: 10),
        Finding.Counted(name: "stick", count: 0),
      ]),
      "as of the last direct sync, desk lacks 1 event, phone lacks 10 events; sync with them"
    ),
    (
      .peers([Finding.Counted(name: "desk", count: 1)], rejecting: ["desk"]),
      "desk rejected this device at the last sync, either because it does not admit this device's key "
        + "or because the key was revoked, so it receives no changes from this device. "
        + "Run 'daybook invite' on that machine, then 'daybook join' with the invitation on this one. "
        + "If this device was revoked, first make a new key with 'daybook device rekey'"
    ),
    (
      .future([Finding.Counted(name: "desk", count: 90_000_000)]),
      "desk is 25 hours ahead; set that device's clock, or this device's clock if this device is behind"
    ),
    (
      .place(.perhapsCopied(Path("/home/ada/Dropbox"), by: "Dropbox")),
      "judging by its name, /home/ada/Dropbox may be a folder that Dropbox copies; if it is, move the book "
        + "elsewhere, and use that folder only for syncing"
    ),
    (
      .quotas([Finding.Counted(name: "desk", count: 80)]),
      "desk has used 80% of its quota; to raise a quota, run 'daybook device quota desk' with --events, --size or --logs; "
        + "to remove a device that floods the book, run 'daybook device revoke desk'"
    ),
    (
      .quotas([], heldBack: ["desk"]),
      "events from desk exceed its quota and are not accepted yet; "
        + "run 'daybook device quota desk' with --events, --size or --logs "
        + "to raise it, and the next sync fetches the events"
    ),
    (
      .waiting(["a", "b"].map { Finding.Newcomer(name: $0, fingerprint: []) }, canDecide: true),
      "a, b are waiting; if you recognize them, run 'daybook device admit NAME'"
    ),
    (
      .quarantine(Finding.Pile(files: 2, bytes: 9)),
      "2 files, 9 bytes, with data that could not be read in its place in the logs; "
        + "remove them only once 'daybook verify' finds no faults"
    ),
    (
      .permissions([Path("/k")]),
      "others can access /k; restrict folders with chmod 700, and keys with 'daybook doctor --tidy'"
    ),
    (
      .permissions([], links: [Path("/k")]),
      "keys must be regular files, and /k is not; replace each link with the file that it points to, or remove it"
    ),
  ]

  @Test(arguments: words.indices)
  func `Doctor: each finding is described in a sentence`(index: Int) {
    let (finding, text) = Self.words[index]
    #expect(finding.text(at: Stage().machine.timekeeper) == text)
  }
}
