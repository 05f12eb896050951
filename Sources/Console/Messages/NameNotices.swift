import Daybook
import Phrasing
import Platform

/// Points out device names that other devices previously had.
struct NameNotices {
  let context: CommandContext

  /// Reports each renamed device whose present name another device previously had.
  ///
  /// A device that was admitted under its present name is omitted, because devices in a household often begin with the
  /// same name, one after another.
  func tell(_ devices: [Device]) {
    var keys: Set<[UInt8]> = []
    for device in devices where device.wasRenamed && keys.insert(device.key).inserted {
      for holder in device.formerHolders {
        context.output.note(
          "\(device.words) has a name that previously belonged to another device. "
            + "'\(device.name.visible)' was the name of \(holder.text(at: context.machine.timekeeper))."
        )
      }
    }
  }
}
