import Bytes
import Daybook
import Phrasing

/// Shows the events that each side held before a sync.
struct ComparisonPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Shows, for each log, the events that each side held before a sync and the events sent in each direction.
  func tellComparison(of receipt: Receipt) {
    guard !receipt.comparison.isEmpty else { return }
    let rows = receipt.comparison.map { log in
      [log.device.visible, log.here.asHeld, log.there.asHeld, log.road]
    }
    for line in Table.lines([["log of", "here", "there", "sent"]] + rows) { output.say(line) }
  }
}

extension LogComparison {
  /// The events sent in each direction, or the reason why they cannot be listed, and the events that a side has lost.
  fileprivate var road: String {
    let lost = holesHere.isEmpty ? "" : "missing here: \(holesHere.asNumbers)"
    let lostThere = holesThere.isEmpty ? "" : "missing there: \(holesThere.asNumbers)"
    let parts =
      isForked
      ? ["the log has forked; each side gets the branches it lacks"]
      : [
        toUs.isEmpty ? "" : "\(toUs.asNumbers) to here",
        toThem.isEmpty ? "" : "\(toThem.asNumbers) to there",
        untaken.isEmpty ? "" : "\(untaken.asNumbers) not accepted",
      ]
    let told = (parts + [lost, lostThere]).filter { !$0.isEmpty }
    return told.isEmpty ? "nothing" : told.joined(separator: "; ")
  }

  var json: JSON {
    func pairs(_ ranges: [ClosedRange<UInt64>]) -> JSON {
      .array(
        ranges.map {
          .array([
            .integer(Int64(clamping: $0.lowerBound)), .integer(Int64(clamping: $0.upperBound)),
          ])
        })
    }
    return .object(
      ("device", .string(device)), ("replica", .string(replica.hex)), ("here", pairs(here)),
      ("there", pairs(there)), ("toHere", pairs(toUs)), ("toThere", pairs(toThem)),
      ("notTaken", pairs(untaken)), ("isForked", .boolean(isForked)))
  }
}

extension [ClosedRange<UInt64>] {
  /// Events by their numbers, such as `1-5, 9`.
  var asNumbers: String {
    map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ", ")
  }

  fileprivate var asHeld: String { isEmpty ? "nothing" : asNumbers }
}
