/// What a device has written, and its quota.
package struct DeviceUsage: Sendable {
  package var device: Device
  /// What it has written, and what the devices have written that take part only through it.
  package var used: Quota
  package var quota: Quota

  /// The used part of its quota, in percent.
  package var percent: Int { Int(min(1, used.share(of: quota)) * 100) }
}
