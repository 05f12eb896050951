import Bytes
import Daybook
import Domain
import Journaling
import Phrasing
import Platform

enum DeviceCommands {
  static let all = [
    devices, renameDevice, admitDevice, revokeDevice, rekeyDevice, deviceQuota, found,
  ]

  private static let devices = CommandSpec(
    "devices",
    "List the devices of the book, and show who admitted them and when each was last heard from.",
    reading: .present,
    flag("all", "Include revoked devices that never wrote anything."),
    examples: [
      "daybook devices", "daybook devices --json",
    ]
  ) { context, isWhole in
    let devices = try context.book().deviceList.devices()
    let lost = Set(try context.book().losses.gaps().map(\.log))
    if context.output.isJSON {
      return context.output.answer(.array(devices.map { $0.json(missing: lost) }))
    }
    let shown = devices.filter { isWhole || $0.hasLog || $0.standing != .revoked }
    let timekeeper = context.machine.timekeeper
    context.output.answer(
      rows: shown.map { $0.row(missing: lost, at: timekeeper).map { Cell($0) } })
    StandingNotices(context: context).tellForks(Device.forked(devices))
    NameNotices(context: context).tell(shown)
    let left = devices.count - shown.count
    if left > 0 {
      context.output.note(
        "\(left.counted("revoked key")) that wrote nothing \(left == 1 ? "is" : "are") not shown; --all shows \(left == 1 ? "it" : "them")."
      )
    }
  }

  private static let renameDevice = CommandSpec(
    "device rename", "Rename this device or another device.",
    optionalText("OLD", before: 1), text("NEW"),
    examples: ["daybook device rename kitchen", "daybook device rename phone \"old phone\""]
  ) { context, words, name in
    try RenameDevice(context: context).run(words, to: name)
  }

  private static let admitDevice = CommandSpec(
    "device admit", "Admit a waiting device, so that its changes count.",
    text("NAME|WORDS"),
    examples: [
      "daybook device admit phone", "daybook device admit voron-girah-dizuv-tozok-fupur-duzor",
    ]
  ) { context, name in
    try AdmitDevice(context: context).run(name)
  }

  private static let revokeDevice = CommandSpec(
    "device revoke",
    "Permanently revoke a lost or stolen device and the devices that it alone admitted.",
    text("NAME|WORDS"),
    options(
      "keep", "NAME",
      "A device to keep even though only the revoked device admitted it; may be repeated."
    ),
    flag(
      "all",
      "Reject all changes by the device, including those that it has already made. Its erasures then no longer count, so a backup can restore the erased records."
    ),
    flag("yes", "Do not ask for confirmation."),
    examples: [
      "daybook device revoke phone", "daybook device revoke phone --keep tablet --yes",
      "daybook device revoke laptop --all",
      "daybook device revoke \"desk (old key)\" --yes",
    ]
  ) { context, name, kept, isWhole, isSure in
    try RevokeDevice(
      context: context, device: name, kept: kept, isWhole: isWhole, isSure: isSure
    ).run()
  }

  private static let rekeyDevice = CommandSpec(
    "device rekey",
    "Give this device a new key, for example because it was revoked or someone else has its key.",
    flag("yes", "Do not ask, even if events of this device would no longer be shown."),
    examples: [
      "daybook device rekey", "daybook device rekey --yes",
    ]
  ) { context, isSure in
    try RekeyDevice(context: context).run(isSure)
  }

  private static let deviceQuota = CommandSpec(
    "device quota",
    "Show or set how much this device accepts from each other device."
      + " The quota of a device also covers the devices that it alone admitted.",
    reading: .present,
    optionalText("NAME|WORDS"),
    option("events", "N", "Allow the device N events."),
    option("size", "MIB", "Allow the device MIB mebibytes of events."),
    option(
      "logs", "N",
      "Allow the device N logs; a device begins a new log for a new key, and if its log is damaged, incomplete or copied."
    ),
    examples: [
      "daybook device quota", "daybook device quota phone --events 500000 --size 256",
    ]
  ) { context, name, events, size, logs in
    try ShowQuota(
      context: context, device: name, logs: logs, events: events, mebibytes: size
    ).run()
  }

  private static let found = CommandSpec(
    "found",
    "Begin a new book from the logs of this device and the given devices, for example because none of your devices is trusted any more.",
    options("with", "DEVICE", "A device whose log the new book includes; may be repeated."),
    flag("yes", "Do not ask for confirmation."),
    examples: [
      "daybook found --with phone --with \"old laptop\" --yes", "daybook found --with phone",
    ]
  ) { context, names, isSure in
    try FoundBook(context: context).run(with: names, isSure)
  }
}

private struct RenameDevice {
  let context: CommandContext
  private var output: Output { context.output }

  func run(_ words: String?, to name: String) throws {
    if ["mine", "theirs", "all"].contains(name.lowercased()) {
      throw ConsoleError.badValue(
        "the name", name, "It is reserved for '--take mine', '--take theirs' and '--accept all'.")
    }
    let book = try context.book()
    let devices = try book.deviceList.devices()
    let names = CertainDevice(book: book, timekeeper: context.machine.timekeeper)
    let named = try words.map { words in
      // The names are in the wrong order if no device has the first but a device already has the second.
      if devices.contains(where: { $0.listedName == name }), devices.called(words).isEmpty {
        throw ConsoleError.turnedAround(old: name, new: words)
      }
      return try names.device(called: words)
    }
    guard let device = (named ?? devices.first(where: \.isThis))?.withoutPart else {
      throw DaybookError.notAdmitted
    }
    try book.admin.rename(device, to: name)
    try DeviceAnswer(output: output).tell(device, in: book)
    output.say(
      "\(device.words) is now \(name.visible). Other devices learn of this at their next sync.")
  }
}

private struct AdmitDevice {
  let context: CommandContext
  private var output: Output { context.output }

  func run(_ name: String) throws {
    let book = try context.book()
    let device = try book.deviceList.device(called: name).withoutPart
    let devices = try book.deviceList.devices()
    let isWaiting = devices.contains { $0.key == device.key && $0.standing == .waiting }
    if !isWaiting, try book.revoker.isLeftBehind(device) {
      try book.admin.admit(device)
      try DeviceAnswer(output: output).tell(device, in: book)
      return output.say("Kept \(device.words), because this device now vouches for it.")
    }
    guard isWaiting || device.standing == .revoked else {
      try DeviceAnswer(output: output).tell(device, in: book)
      output.say("\(device.listedName.visible) is already admitted.")
      for other in devices where other.standing == .waiting && other.isNamedLike(device) {
        let words = other.fingerprint.prefix(2).joined(separator: "-")
        if let sponsor = other.sponsor {
          output.say(
            "\(other.words) is waiting: \(sponsor.words). If the waiting device is not yours, run: daybook device revoke \(words)"
          )
        } else {
          output.say(
            "\(other.words) is waiting; to admit it, run: daybook device admit \(words)")
        }
      }
      return
    }
    try book.admin.admit(device)
    try DeviceAnswer(output: output).tell(device, in: book)
    output.say("Admitted \(device.words). Other devices learn of this at their next sync.")
    if let sponsor = device.sponsor {
      output.note(
        "\(sponsor.words). If the admitted device is not yours, run: "
          + "daybook device revoke \(device.fingerprint.prefix(2).joined(separator: "-"))")
    }
  }
}

/// With `--json`, answers with the current state of a device.
private struct DeviceAnswer {
  let output: Output

  func tell(_ device: Device, in book: Book) throws {
    guard output.isJSON,
      let now = try book.deviceList.devices().first(where: { $0.replica == device.replica })
    else { return }
    output.answer(now.json(missing: Set(try book.losses.gaps().map(\.log))))
  }
}

/// Gives this device a new key.
private struct RekeyDevice {
  let context: CommandContext
  private var output: Output { context.output }

  /// Asks the user to confirm if the new key would hide some events that are shown now.
  private func ask(_ isSure: Bool) throws {
    let book = try context.book()
    let (uncounted, advice): (UInt64, String)
    switch try book.deviceList.standing() {
    case .revoked(let removal):
      (uncounted, advice) = (
        removal.cut,
        "To keep these changes, first run 'daybook export --uncounted -o kept.jsonl'; "
          + "'daybook import kept.jsonl' then writes them again under the new key."
      )
    case .waiting:
      (uncounted, advice) = (
        try book.ownEvents.countOfShownAlone(),
        "Have another device admit the current key first; otherwise, to write the changes again under the new key, \(OwnEventNotices.rewriting)."
      )
    case .admitted, .unknown, .beginningMissing: return
    }
    guard uncounted > 0 else { return }
    try output.require(
      isSure,
      "Create a new key? "
        + "\(uncounted.counted("event")) of this device \(uncounted == 1 ? "does" : "do") not count, "
        + "and will no longer be shown on this device. \(advice)")
  }

  func run(_ isSure: Bool) throws {
    try ask(isSure)
    let rekeying = try context.book().admin.rekey()
    if output.isJSON {
      output.answer(
        .object(
          ("fingerprint", .string(rekeying.fingerprint.joined(separator: "-"))),
          ("formerFingerprint", .string(rekeying.formerFingerprint.joined(separator: "-"))),
          ("isAdmitted", .boolean(rekeying.isAdmitted))))
    }
    output.say("This device has a new key: \(rekeying.fingerprint.joined(separator: "-")).")
    guard rekeying.isAdmitted else {
      let hasTrustedDevice = try context.book().deviceList.hasTrustedDevice()
      output.note(
        "this device was not admitted, so its new key is waiting to be admitted. "
          + "Its earlier changes are shown on this device only if they count. "
          + (hasTrustedDevice
            ? "On an admitted device, run: daybook device admit "
              + "\(rekeying.fingerprint.prefix(2).joined(separator: "-"))"
            : "But \(Standing.nobodyIsLeft)."))
      return OwnEventNotices(output: output).tellHidden(
        try context.book().ownEvents.countOfHiddenOwn())
    }
    let words = rekeying.formerFingerprint.joined(separator: "-")
    output.say("If someone else may have the old key, run: daybook device revoke \(words)")
  }
}

/// Begins a new book with the logs of this book.
private struct FoundBook {
  let context: CommandContext
  private var output: Output { context.output }

  func run(with names: [String], _ isSure: Bool) throws {
    let book = try context.book()
    let certain = CertainDevice(book: book, timekeeper: context.machine.timekeeper)
    let founding = try book.refounder.newFounding(
      with: try names.map { try certain.lastingWords(for: $0) })
    let forecast = try book.refounder.forecast(of: founding)
    let presenter = FoundingPresenter(output: output, founding: founding, forecast: forecast)
    for share in founding.unproved {
      ReceiptPresenter(context: context).tellWithheld(
        share.events, of: share.device, share.replica, "signed")
    }
    try output.require(isSure, presenter.question)
    try book.refounder.found(anew: founding)
    if output.isJSON { output.answer(presenter.json(of: book)) }
    presenter.tell(of: book)
  }
}

extension Device {
  /// Whether one name is a prefix of the other, ignoring case; a second device with the same name gets a number at
  /// the end of its name.
  fileprivate func isNamedLike(_ other: Device) -> Bool {
    let (one, two) = (name.lowercased(), other.name.lowercased())
    return one.hasPrefix(two) || two.hasPrefix(one)
  }
}
