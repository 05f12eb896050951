import Bytes
import Domain
import Phrasing
import Platform
import Proving

/// The claims about a proof, in sentences.
extension ProofWords {
  var proved: [String] {
    var sentences: [String] = []
    for (number, log) in report.logs.enumerated() {
      let own = report.events.filter { $0.log == number && $0.role == .changes }
      guard !own.isEmpty else { continue }
      let name = name(of: number)
      let shown =
        own.count == 1
        ? "wrote event \(own[0].sequence), which is shown"
        : "wrote the \(own.count) events of the record that are shown, in this order"
      sentences.append(
        "The device with the key of \(name) \(shown). Nothing in \(own.count == 1 ? "it" : "them") was changed since, "
          + "and its signatures cover its log up to event \(log.last).")
    }
    if report.members.count > 1 {
      sentences.append(
        "\(report.members.count.counted("record")) were joined into one, and the events are about any of them."
      )
    }
    for id in report.erased {
      guard let erase = report.events.first(where: { $0.role == .erases(id) }) else { continue }
      sentences.append(
        "A record with the id \(ShortID.text(of: id)) existed, and \(name(of: erase.log)) erased it "
          + "at \(timekeeper.localText(of: erase.time)). What it contained is not in the file.")
    }
    sentences.append(
      "Each of these keys belongs to a device of the book that began with the key of \(name(of: founder))."
    )
    return sentences
  }

  private var founder: Int { report.logs.firstIndex(where: \.isFounder) ?? 0 }

  var notProved: [String] {
    var sentences: [String] = []
    let rest = report.logs.indices.compactMap { number -> String? in
      let log = report.logs[number]
      let parts = [
        log.hidden > 0 ? "\(log.hidden) only as hashes" : nil,
        log.absent > 0 ? "\(log.absent) not at all" : nil,
      ].compactMap(\.self)
      return parts.isEmpty ? nil : "\(name(of: number)) (\(parts.joined(separator: ", ")))"
    }
    sentences.append(
      "That these are all events of the record."
        + (rest.isEmpty
          ? "" : " The file contains other events of \(rest.joined(separator: " and of ")).")
        + " Those, later ones, and events of other devices may be about the record too.")
    let broken = report.logs.indices.filter { number in
      !report.logs[number].isUnbroken
        && report.events.contains { $0.log == number && $0.role == .changes }
    }
    for number in broken {
      sentences.append(
        "That no copy of \(name(of: number)) wrote a second version of its log between the "
          + "\(report.logs[number].stretches.count) parts of it in the file.")
    }
    for number in report.logs.indices where report.logs[number].isForked {
      sentences.append(
        "Which version of the log of \(name(of: number)) counts, because the file contains several."
      )
    }
    if Set(report.events.filter { $0.role == .changes }.map(\.log)).count > 1 {
      sentences.append("Which of two events of different devices came first.")
    }
    if report.events.contains(where: { $0.hasWhen && $0.when == nil && $0.role == .changes }) {
      sentences.append(
        "The times that another program stated for imported events; the times of the import are shown."
      )
    }
    sentences.append(
      "When the events were written. The times are those of the devices' clocks, which their owners can set."
    )
    let isRevoked = report.logs.contains { !$0.revocations.isEmpty }
    sentences.append(
      isRevoked
        ? "That no other device was revoked." : "That none of these devices was revoked.")
    sentences.append(
      "Whose keys these are. Compare their words with what 'daybook devices' shows on a device of the book, "
        + "above all those of \(name(of: founder)).")
    return sentences
  }
}
