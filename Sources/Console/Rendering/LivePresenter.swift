import Bytes
import Crypto
import Daybook
import Journaling
import Phrasing
import Platform
import Syncing

/// Prints what happens while the book is served or peers are followed.
struct LivePresenter {
  let context: CommandContext
  private var output: Output { context.output }
  private var receipts: ReceiptPresenter { ReceiptPresenter(context: context) }

  func tell(_ news: LiveNews) {
    switch news {
    case .met(let peer, let receipt): tell(receipt, with: peer, isFirst: true)
    case .letIn(let peer, let name, let words): tellAdmission(of: name, words, at: peer)
    case .news(let peer, let receipt): tell(receipt, with: peer, isFirst: false)
    case .sent(let peer, let shares, let went, let untaken):
      tell(shares, went, to: peer, keeping: untaken)
    case .left(let peer): report("\(peer.words) disconnected.")
    case .lost(let peer, let error, let wait):
      let again = wait.map { " Trying again in \(Self.seconds($0))." } ?? ""
      warn("\(peer.words): \(error.told.text)\(again)")
    case .stripped(let report): tell(report)
    case .turnedAway(let address, let error):
      warn("turned away \(address.visible): \(revoked(error) ?? error.callerText).")
    case .failed(let address, let error):
      warn(address.map { "\($0.visible): \(error.told.text)" } ?? error.told.text)
    }
  }

  private func tell(_ stripped: StripReport) {
    if output.isJSON {
      output.answer(lines: [
        JSON.object([
          JSON.Member("removed", .array(stripped.removed.map { .string($0.string) })),
          JSON.Member("damagedBytes", .integer(Int64(clamping: stripped.damagedBytes))),
        ])
      ])
    }
    receipts.tell(stripped)
  }

  /// Returns the name of the revoked device that was turned away; nil if there was a different reason.
  private func revoked(_ error: SyncError) -> String? {
    // If the device list cannot be read, only the error about the key is shown.
    guard case .tls(.unknownKey(let key)) = error,
      let devices = try? context.book().deviceList.devices(),
      let device = devices.first(where: { $0.key == key.bytes && $0.standing == .revoked })
    else { return nil }
    return
      "the key of \(device.name.visible) was revoked; the device needs a new key and an invitation"
  }

  private static func seconds(_ milliseconds: Int64) -> String {
    let seconds = max(1, (milliseconds + 500) / 1_000)
    return seconds == 1 ? "a second" : "\(seconds) seconds"
  }

  private func tell(_ receipt: Receipt, with peer: LivePeer, isFirst: Bool) {
    do {
      if output.isJSON {
        output.answer(lines: [
          JSON.object(peer.members + (try receipts.json(of: receipt).members ?? []))
        ])
        return tellProblems(of: receipt)
      }
      if isFirst {
        report("With \(peer.words):")
        try receipts.tellChanges(of: receipt)
        receipts.tellRest(of: receipt)
      } else {
        report(peer.words + ": " + receipt.brief)
        try CascadePresenter(context: context).tellCascades(of: receipt)
        try ClosedFirstPresenter(context: context).tellClosedFirst(of: receipt)
        receipts.tellDevices(of: receipt)
        OwnEventNotices(output: output).tellHidden(receipt.hidden)
        receipts.tellRemoved(receipt.removed)
        receipts.tellUntaken(receipt.untaken)
        tellProblems(of: receipt)
      }
    } catch {
      warn("\(peer.words): \(Told(ofAny: error).text)")
    }
  }

  private func tell(
    _ shares: [Receipt.Share], _ went: [Receipt.Changes], to peer: LivePeer,
    keeping untaken: [Receipt.Share]
  ) {
    let parts = ["sent \(Receipt.words(shares))"] + went.map(\.brief)
    report("\(peer.words): \(parts.joined(separator: "; ")).")
    receipts.tellUntaken(untaken)
    guard output.isJSON else { return }
    let members = [
      JSON.Member("sent", .array(shares.map(\.json))),
      JSON.Member("went", .array(went.map(\.json))),
      JSON.Member("untaken", .array(untaken.map(\.json))),
    ]
    output.answer(lines: [JSON.object(peer.members + members)])
  }

  /// Reports that a device was admitted, because the user might not have wanted this.
  private func tellAdmission(of name: String, _ words: [String], at peer: LivePeer) {
    let key = words.joined(separator: "-")
    report("Admitted \(name.visible) (\(key)) from \(peer.address.visible), by invitation.")
    guard output.isJSON else { return }
    let members = [
      JSON.Member(
        "letIn", .array([.object(("device", .string(name)), ("fingerprint", .string(key)))]))
    ]
    output.answer(lines: [JSON.object(peer.members + members)])
  }

  /// Prints a sentence with the time, because it may be read days later.
  private func report(_ sentence: String) { output.say("\(clock) \(sentence)") }

  private func warn(_ sentence: String) { output.note("\(clock) \(sentence)") }

  private var clock: String {
    context.machine.timekeeper.localText(of: context.machine.timekeeper.now().milliseconds)
  }

  private func tellProblems(of receipt: Receipt) {
    ProblemPresenter(context: context).tell(receipt.problems)
  }
}

extension LivePeer {
  /// The name and address of the peer, or only its address.
  fileprivate var words: String {
    name.map { "\($0.visible) (\(address.visible))" } ?? address.visible
  }

  /// The name and address of the peer in JSON.
  fileprivate var members: [JSON.Member] {
    [
      JSON.Member("peer", name.map { .string($0) } ?? .null),
      JSON.Member("address", .string(address)),
    ]
  }
}

extension Receipt {
  /// The received and sent changes, in one line.
  fileprivate var brief: String {
    var parts: [String] = []
    if !received.isEmpty { parts.append("received \(Self.words(received))") }
    parts += came.map(\.brief)
    if !sent.isEmpty { parts.append("sent \(Self.words(sent))") }
    if parts.isEmpty { parts.append("nothing new") }
    let count = conflicts.count
    if count > 0 { parts.append(count == 1 ? "1 new conflict" : "\(count) new conflicts") }
    return parts.joined(separator: "; ") + "."
  }
}
