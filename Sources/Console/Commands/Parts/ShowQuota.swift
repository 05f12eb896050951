import Bytes
import Daybook
import Phrasing
import Platform

/// Shows how much each device has written and may write, or changes the quota of one device.
struct ShowQuota {
  let context: CommandContext
  /// The device: a name, the words of a key, or an id; nil for all.
  let device: String?
  let logs: String?
  let events: String?
  let mebibytes: String?

  private static let bytesInMebibyte: UInt64 = 1 << 20

  func run() throws {
    let book = try context.book()
    guard let device else {
      if let option { throw ConsoleError.needsDevice(option: option) }
      answer(try book.statusReader.usage())
      return OwnEventNotices(output: context.output).tellExcess(
        of: try book.statusReader.ownAmount())
    }
    let named = try CertainDevice(book: book, timekeeper: context.machine.timekeeper)
      .device(called: device)
    guard let usage = try book.statusReader.usage().first(where: { $0.device.key == named.key })
    else {
      throw ConsoleError.noQuota(named.listedName, isThis: named.isThis)
    }
    if option != nil { try book.admin.setQuota(try wanted(instead: usage.quota), of: named) }
    let usages = try book.statusReader.usage().filter { $0.device.key == named.key }
    answer(usages)
    guard option != nil, let now = usages.first else { return }
    if now.lacksRoomForEvents {
      context.output.say(
        "The quota is used up, so no further events are accepted until you raise it.")
    } else if now.lacksRoomForLog {
      context.output.say(
        "The log quota is used up, so no new log from that device is accepted until you raise it.")
    } else if usage.isHeldBack {
      context.output.say("The next sync fetches the events that the quota held back.")
    }
  }

  /// The first quota option that was given.
  private var option: String? {
    let given = [("logs", logs), ("events", events), ("size", mebibytes)]
    return given.first { $0.1 != nil }?.0
  }

  private func wanted(instead quota: Quota) throws -> Quota {
    func number(_ words: String?, _ name: String) throws -> UInt64? {
      try words.map { UInt64(clamping: try context.reader.number($0, name, from: 1)) }
    }
    let size = try number(mebibytes, "the size").map { size in
      let (bytes, overflows) = size.multipliedReportingOverflow(by: Self.bytesInMebibyte)
      return overflows ? UInt64(Int64.max) : bytes
    }
    return Quota(
      logs: try number(logs, "the number of logs") ?? quota.logs,
      events: try number(events, "the number of events") ?? quota.events,
      bytes: size ?? quota.bytes)
  }

  private func answer(_ usages: [DeviceUsage]) {
    if context.output.isJSON { return context.output.answer(.array(usages.map(\.json))) }
    if usages.isEmpty { return context.output.note("the book has no other devices.") }
    context.output.answer(
      rows: usages.map { usage in
        let (used, quota) = (usage.used, usage.quota)
        return [
          usage.device.listedName.visible, "\(used.events) of \(quota.events) events",
          "\(Self.size(used.bytes)) of \(Self.size(quota.bytes))",
          "\(used.logs) of \(quota.logs) logs",
          usage.isHeldBack ? "more events are waiting" : "",
        ].map { Cell($0) }
      })
  }

  private static func size(_ bytes: UInt64) -> String {
    bytes < bytesInMebibyte ? "\(bytes >> 10) KiB" : "\(bytes / bytesInMebibyte) MiB"
  }
}

extension DeviceUsage {
  var json: JSON {
    .object(
      ("name", .string(device.name)),
      ("fingerprint", .string(device.fingerprint.joined(separator: "-"))),
      ("used", used.json), ("quota", quota.json), ("isHeldBack", .boolean(isHeldBack)))
  }
}
