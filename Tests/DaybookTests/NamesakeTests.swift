import Bytes
import Daybook
import Testing

/// Devices and logs with the same name.
struct NamesakeTests {
  @Test func `Device names: equal names are listed with fingerprints until changed`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2401)
    for (book, name) in zip(books, ["one", "two"]) {
      try book.admin.rename(try book.deviceList.device(called: name), to: "laptop")
    }
    try office.exchange()
    for book in books {
      let devices = try book.deviceList.devices()
      let listed = devices.map { "laptop (\($0.fingerprint[0]))" }
      #expect(devices.map(\.listedName) == listed)
      #expect(Set(listed).count == 2)
      let several = #expect(throws: DaybookError.self) {
        try book.deviceList.device(called: "laptop")
      }
      guard case .severalDevices("laptop", let choices) = several else {
        Issue.record("\(String(describing: several))")
        return
      }
      #expect(choices.map(\.listedName) == listed)
      #expect(try book.deviceList.device(called: listed[1]).key == devices[1].key)
    }
    let other = try #require(try books[0].deviceList.devices().first { !$0.isThis })
    try books[0].admin.rename(try books[0].deviceList.device(called: other.listedName), to: "phone")
    #expect(try books[0].deviceList.devices().map(\.listedName) == ["laptop", "phone"])
  }

  @Test func `Device names: each of several logs of one key has its own name`() throws {
    let office = Office(seed: 2_402)
    try TrustingTests.add("first", to: try office.found("one"))
    let copy = try office.clone("one", as: "two")
    try TrustingTests.add("second", to: copy)
    let devices = try copy.deviceList.devices()
    let names = devices.map { "one, log \($0.replica.hex.prefix(8))" }
    #expect(devices.map(\.logName) == names && Set(names).count == 2)
    #expect(devices.map(\.listedName) == ["one", "one"])
    for device in devices {
      let named = try copy.deviceList.device(called: device.logName)
      #expect(try copy.historyReader.replicas(of: named) == [device.replica])
    }
    let whole = try copy.deviceList.device(called: "one")
    #expect(try copy.historyReader.replicas(of: whole) == Set(devices.map(\.replica)))
    #expect(Set(try copy.historyReader.history().entries.map(\.log)) == Set(names))
    let other = try #require(devices.first { !$0.isThis })
    #expect(try copy.undoEngine.undo(.command("\(other.logName):2")).changes.count == 1)
    #expect(try TrustingTests.names(copy) == ["second"])
  }
}
