/// What a device has written and may write.
package struct DeviceUsage: Sendable {
  package var device: Device
  /// What it has written, and the devices that would not take part without it.
  package var used: Quota
  package var quota: Quota

  /// The part of its quota that the device has used up, in percent.
  package var percent: Int { Int(min(1, used.share(of: quota)) * 100) }
}
