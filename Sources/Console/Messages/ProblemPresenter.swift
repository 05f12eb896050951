import Bytes
import Daybook
import Journaling
import Phrasing
import Syncing

/// Reports the problems of a sync.
struct ProblemPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Reports the problems of a sync, and raises the exit code to the code of the worst problem.
  func tell(_ problems: [SyncProblem]) {
    let problems = Self.withoutConsequences(problems)
    for problem in problems {
      output.note("\(overQuota(problem) ?? gap(problem) ?? problem.text).", isLoss: true)
    }
    context.exit = problems.map(\.exit).reduce(context.exit, max)
  }

  /// The problems, except gaps in logs that exceed their quotas.
  ///
  /// The events in such a gap are not missing. They were refused, so the events after them seem to follow a gap.
  private static func withoutConsequences(_ problems: [SyncProblem]) -> [SyncProblem] {
    let full = Set(
      problems.compactMap { problem -> UniqueID? in
        if case .log(.overQuota(let log)) = problem { log } else { nil }
      })
    return problems.filter { problem in
      guard case .log(.gap(let log, held: _, received: _)) = problem else { return true }
      return !full.contains(log)
    }
  }

  /// The message for a device that has exceeded its quota; nil for other problems.
  private func overQuota(_ problem: SyncProblem) -> String? {
    guard case .log(.overQuota(let log)) = problem,
      let device = try? context.book().deviceList.devices().first(where: { $0.replica == log })
    else { return nil }
    return
      "the next events from \(device.words) would exceed its quota on this device, "
      + "so this sync did not accept them. They are not lost. "
      + "'daybook device quota' shows and raises the limit, and the next sync then fetches them"
  }

  /// The message for missing events before received events, with the device's name; nil for other problems.
  private func gap(_ problem: SyncProblem) -> String? {
    guard case .log(.gap(let log, let held, let received)) = problem, held + 1 < received,
      let name = try? context.book().deviceList.deviceNames()[log]
    else { return nil }
    let range = held + 1...received - 1
    let verb = range.count == 1 ? "is" : "are"
    return
      "\(range.asEvents) of \(name.visible) \(verb) missing, so later events were not accepted. "
      + "Sync with a bundle made without --since, or with a device that has \(range.count == 1 ? "it" : "them")"
  }
}
