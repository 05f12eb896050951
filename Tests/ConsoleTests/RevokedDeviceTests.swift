import Bytes
import Console
import Phrasing
import Testing

/// Commands about devices that were revoked.
struct RevokedDeviceTests {
  @Test func `Rename: a revoked device is renamed, so that another device can have its name`()
    throws
  {
    let stage = try Stage.trio()
    let phone = try stage.words(in: "phone")
    _ = stage.answer("device", "revoke", "phone", "--yes")
    let taken = stage.run("device", "rename", "book", "phone")
    #expect(taken.code == .refused)
    let key = phone.split(separator: "-").prefix(2).joined(separator: "-")
    #expect(
      taken.error
        == "daybook: a revoked device is called 'phone'. To use the name again, first give that "
        + "device another one: daybook device rename \(key) NAME\n")
    #expect(
      stage.answer("device", "rename", key, "lost").hasPrefix("phone (\(phone)) is now lost. "))
    _ = stage.answer("device", "rename", "book", "phone")
    let devices = try stage.devices()
    #expect(devices.map { $0["name"] } == ["desk", "lost", "phone"])
    #expect(devices.map { $0["standing"] } == ["founder", "revoked", "admitted"])
    stage.meetAll()
    #expect(
      try stage.devices("-C", "book").map { $0["name"] } == ["desk", "lost", "phone"])
  }
}
