import Daybook
import Testing

/// Devices that are called the same.
struct NamesakeTests {
  @Test func `two that were given one name at once are told apart until one is renamed`() throws {
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
      guard case .severalDevices("laptop", listed) = several else {
        Issue.record("\(String(describing: several))")
        return
      }
      #expect(try book.deviceList.device(called: listed[1]).key == devices[1].key)
    }
    let other = try #require(try books[0].deviceList.devices().first { !$0.isThis })
    try books[0].admin.rename(try books[0].deviceList.device(called: other.listedName), to: "phone")
    #expect(try books[0].deviceList.devices().map(\.listedName) == ["laptop", "phone"])
  }
}
