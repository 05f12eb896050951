import Bytes
import Daybook
import Journaling
import Phrasing
import Platform
import Syncing

extension BundleLook {
  /// Returns a description of the bundle and its logs, line by line.
  func lines(at timekeeper: any Timekeeper) -> [String] {
    var lines: [String] = []
    if let hello = contents.hello {
      let founder = founder.map { ", founded on \($0.visible)" } ?? ""
      let whose = isOwnBook ? " (this book)" : ""
      lines.append("A bundle of book \(hello.book?.hex ?? "unknown")\(founder)\(whose).")
      lines.append("Written by \(writer(hello).visible), which held \(held(hello)) at the time.")
    }
    lines += Table.lines(contents.logs.map { row(of: $0, at: timekeeper) })
    lines.append(
      "\(events), \(contents.byteCount.counted("byte")); frames of version 1, \(versions).")
    return lines
  }

  /// The number of events in the bundle; if it is truncated, also the number of events that its writer held.
  private var events: String {
    let isCut = contents.problems.contains { if case .truncated = $0 { true } else { false } }
    guard isCut, let hello = contents.hello else { return contents.events.counted("event") }
    let all = heldCount(hello).counted("event")
    return "\(contents.events) of the \(all) that the bundle's writer held"
  }

  private func writer(_ hello: Hello) -> String {
    let log = contents.logs.first { $0.replica == hello.replica }
    return log.map(name) ?? names[hello.replica] ?? hello.replica.hex
  }

  private func held(_ hello: Hello) -> String {
    let logs = hello.frontier.replicas.count.counted("log")
    return "\(heldCount(hello).counted("event")) in \(logs)"
  }

  private func heldCount(_ hello: Hello) -> UInt64 {
    hello.frontier.replicas.reduce(0) { sum, replica in
      let places = hello.frontier.places(of: replica)
      let beyond = (places.last?.islands ?? []).map { UInt64($0.count) }
      return ([hello.frontier.sequence(of: replica)] + beyond).reduce(sum) {
        $0.addingReportingOverflow($1).partialValue
      }
    }
  }

  /// Returns the events of a log that are missing from the bundle because its writer had lost them.
  func lost(of log: BundleContents.Log) -> [ClosedRange<UInt64>] {
    guard let place = contents.hello?.frontier.places(of: log.replica).last,
      let last = place.islands.last
    else { return [] }
    return [place.sequence + 1...last.upperBound].without(place.islands + log.ranges)
  }

  private var versions: String {
    guard let versions = contents.hello?.versions else {
      return "truncated before the stream's version"
    }
    return versions.count == 1
      ? "a stream of version \(versions.lowerBound)"
      : "a stream of versions \(versions.lowerBound) to \(versions.upperBound)"
  }

  private func row(of log: BundleContents.Log, at timekeeper: any Timekeeper) -> [String] {
    let signed = log.heads.last.map { "signed at \($0)" } ?? "not signed"
    let from = log.ranges.map(\.lowerBound).min() ?? 1
    let parts = [
      signed, from > 1 ? "without the events before \(from)" : "",
      lost(of: log).isEmpty ? "" : "\(lost(of: log).asNumbers) lost by the bundle's writer",
      log.stripped > 0 ? "\(log.stripped.counted("event")) erased" : "",
      log.lastWritten.map { "last written \(timekeeper.localText(of: $0))" } ?? "",
    ]
    return [
      name(of: log).visible, "events \(log.ranges.asNumbers)", log.frames.counted("frame"),
      log.bytes.counted("byte"), parts.filter { !$0.isEmpty }.joined(separator: ", "),
    ]
  }

  var json: JSON {
    .object(
      ("file", .string(path.string)), ("bytes", .integer(Int64(contents.byteCount))),
      ("book", contents.hello?.book.map { .string($0.hex) } ?? .null),
      ("founder", founder.map { .string($0) } ?? .null),
      ("isThisBook", .boolean(isOwnBook)),
      ("writer", contents.hello.map { .string($0.replica.hex) } ?? .null),
      (
        "versions",
        contents.hello.map {
          .array([
            .integer(Int64(clamping: $0.versions.lowerBound)),
            .integer(Int64(clamping: $0.versions.upperBound)),
          ])
        } ?? .null
      ), ("isWhole", .boolean(contents.problems.isEmpty)),
      ("events", .integer(Int64(clamping: contents.events))),
      ("logs", .array(contents.logs.map(json))),
      ("problems", .array(contents.problems.map { .string($0.text) })))
  }

  private func json(_ log: BundleContents.Log) -> JSON {
    func number(_ value: UInt64) -> JSON { .integer(Int64(clamping: value)) }
    return .object(
      ("device", .string(name(of: log))), ("replica", .string(log.replica.hex)),
      (
        "ranges",
        .array(log.ranges.map { .array([number($0.lowerBound), number($0.upperBound)]) })
      ), ("events", number(log.events)), ("frames", .integer(Int64(log.frames))),
      ("bytes", .integer(Int64(log.bytes))), ("heads", .array(log.heads.map(number))),
      ("erased", .integer(Int64(log.stripped))),
      ("lastWritten", log.lastWritten.map { .string(Instant.text($0)) } ?? .null),
      ("isKeyKnown", .boolean(!log.isKeyUnknown)))
  }
}
