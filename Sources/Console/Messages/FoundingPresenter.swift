import Bytes
import Daybook
import Phrasing
import Wording

/// Describes a new book before it is founded, and reports it afterwards.
struct FoundingPresenter {
  let output: Output
  let founding: NewFounding
  let forecast: FoundingForecast

  /// The maximum number of devices to name, because a hostile device may have admitted thousands.
  private static let namedDevices = 20

  /// The question to ask before the book is founded.
  var question: String {
    let left = leftOut.isEmpty ? "" : " Left out for good: \(leftOut)."
    let ended = forecast.ended.map { ended in
      let advice =
        ended.isByThis || ended.authors.isEmpty
        ? ""
        : " To keep \(ended.device.listedName.visible), leave out \(names(ended.authors))."
      return " \(sentence(on: ended))\(advice)"
    }
    let partial = partial.map { " " + sentence(onPartial: $0) }
    return "Begin a new book with the logs of \(taken)?\(left)"
      + (ended + partial).joined()
  }

  /// The answer with `--json`.
  func json(of book: Book) -> JSON {
    let all = founding.taken + founding.leftOut
    let uncounted = all.reduce(0) { $0 + forecast.uncounted(of: $1) }
    return .object(
      ("book", .string(book.id.hex)),
      ("taken", .array(founding.taken.map { .string($0.listedName) })),
      ("leftOut", .array(founding.leftOut.map { .string($0.listedName) })),
      ("revoked", .array(forecast.ended.map { .string($0.device.listedName) })),
      ("uncounted", .integer(Int64(clamping: uncounted))))
  }

  /// Reports the new book.
  func tell(of book: Book) {
    output.say("Founded the book \(book.id.hex) with the logs of \(taken).")
    if !leftOut.isEmpty {
      output.say("Left out: \(leftOut). Logs that are left out are kept but do not count.")
    }
    output.say("Other machines join the new book with 'daybook join'.")
    for ended in forecast.ended {
      output.note(
        "\(sentence(on: ended))\nTo rejoin, run 'daybook device rekey' on that device, and admit its new key."
      )
    }
    for device in partial { output.note(sentence(onPartial: device)) }
  }

  private var taken: String { list(founding.taken.map(\.words)) }

  private var leftOut: String {
    list(
      founding.leftOut.map { device in
        "\(device.words) with \(forecast.uncounted(of: device).counted("event"))"
      })
  }

  /// The included devices some of whose events do not count, except devices that stay revoked.
  private var partial: [Device] {
    let ended = Set(forecast.ended.map(\.device.key))
    return founding.taken.filter { !ended.contains($0.key) && forecast.uncounted(of: $0) > 0 }
  }

  private func sentence(on ended: FoundingForecast.Ended) -> String {
    let authors = ended.authors.isEmpty ? "an included device" : names(ended.authors)
    let count = forecast.uncounted(of: ended.device)
    let verb = count == 1 ? "does" : "do"
    let events = count == 0 ? "" : ", and \(count) of its events \(verb) not count"
    return "\(ended.device.words) stays revoked, because \(authors) revoked it\(events)."
  }

  private func sentence(onPartial device: Device) -> String {
    let count = forecast.uncounted(of: device)
    return "\(count.counted("event")) of \(device.words) \(count == 1 ? "does" : "do") not count, "
      + "because an included device has revoked that device."
  }

  private func names(_ devices: [Device]) -> String {
    let all = devices.shortened(to: Self.namedDevices) { $0.listedName.visible }
    return all.count < 2
      ? all.joined()
      : all.dropLast().joined(separator: ", ") + " and \(all[all.count - 1])"
  }

  private func list(_ words: [String]) -> String {
    let others = words.count - Self.namedDevices
    let named = words.prefix(Self.namedDevices).joined(separator: ", ")
    return others > 0 ? "\(named) and \(others) more" : named
  }
}
