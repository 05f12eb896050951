/// The amount that a device has written, and its quota.
package struct DeviceUsage: Sendable {
  package var device: Device
  /// The amount written by the device and by the devices that take part only through it.
  package var used: Quota
  package var quota: Quota
  /// Whether a sync left out events of the device because they exceed the quota, and no event of the device has arrived
  /// since.
  package var isHeldBack = false

  /// Whether additional events of the device would exceed its quota, even events of a log that is stored here.
  ///
  /// A log that is stored here can continue as long as the number of logs does not exceed the quota.
  package var lacksRoomForEvents: Bool {
    used.events >= quota.events || used.bytes >= quota.bytes || used.logs > quota.logs
  }

  /// Whether the next new log of the device would exceed its quota.
  package var lacksRoomForLog: Bool { used.logs >= quota.logs }

  /// The percentage of the device's quota that is used, which exceeds 100 if the quota was lowered afterwards.
  ///
  /// The number is limited, because an amount can be many times a quota of 1.
  package var percent: Int { Int(min(used.share(of: quota) * 100, Double(Int32.max))) }
}
