import Bytes
import Daybook
import Phrasing
import Platform

/// The work that remains after a command has succeeded or failed.
struct CommandEnd {
  let context: CommandContext

  /// Warns that the disk is failing, although the command succeeded.
  func warnOfDisk() {
    guard context.opener.opened?.isDiskFailing == true else { return }
    context.output.note(
      "your changes are safe, but the disk failed to store them on the first attempt. Check the disk before you write more."
    )
    context.exit = .cannotWrite
  }

  /// Warns that the command has written changes while the clock of this machine showed an impossible time.
  func warnOfClock() {
    guard let book = context.opener.opened, book.writer.writtenCount > 0,
      !book.commands.isClockSet
    else { return }
    let timekeeper = context.machine.timekeeper
    context.output.note(
      "the clock of this machine is wrong: it shows \(timekeeper.localText(of: timekeeper.now().milliseconds)). "
        + "Set the clock. The new changes may have wrong dates.")
  }

  /// Reports that this device made a new key because its old key is missing.
  func noteNewKey() {
    guard let device = context.opener.opened?.core.localDevice, let path = device.replacedKey else {
      return
    }
    // If the new key cannot be read again, `daybook devices` shows its words later.
    let words = (try? device.shownKey)?.words.split(separator: "-").prefix(2).joined(separator: "-")
    let devices = (try? context.opener.opened?.deviceList.devicesWithoutClocks()) ?? []
    // The file of a key has the id of the key's log as its name.
    let former = devices.first { path.name == "\($0.replica.hex).pem" }?.fingerprint.prefix(2)
      .joined(separator: "-")
    context.output.note(
      "\(path.string.visible) is missing, so this device has a new key, "
        + "and its changes from now on do not count on other devices "
        + "until one of them runs 'daybook device admit \(words ?? "NAME")'. "
        + "If there is no other device, 'daybook found --with \(former ?? "NAME")' begins a new book; "
        + "'daybook devices' lists the devices that it can include.")
  }

  /// Returns the error to report for a failed command.
  ///
  /// If the disk failed after the command had written events, the error adds that those events are stored.
  func completing(_ error: DaybookError) -> DaybookError {
    context.opener.opened?.writer.writtenCount ?? 0 > 0 ? error.afterWriting : error
  }

  /// Reports data that was removed while bodies were erased and that no receipt lists.
  func reportErasures() {
    guard let book = context.opener.opened else { return }
    ReceiptPresenter(context: context).tell(book.eraser.takeReport())
  }

  /// Finishes an interrupted erasure, and reports the removed data, or that the erasure failed again.
  func finishErasures(ifWritten isAfterWriting: Bool = false) {
    guard let book = context.opener.opened, !isAfterWriting || book.writer.writtenCount > 0 else {
      return
    }
    do throws(DaybookError) {
      try book.eraser.finishErasureLeft()
    } catch {
      context.output.note(error.told.text)
      context.exit = max(context.exit, .cannotWrite)
    }
    reportErasures()
  }
}
