import Glibc
package import Platform

extension PosixNetwork {
  package func addresses() throws(NetworkError) -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>? = nil
    guard unsafe getifaddrs(&first) == 0 else { throw .other(errno) }
    defer { if let first = unsafe first { unsafe freeifaddrs(first) } }
    var found: [(rank: Int, text: String)] = []
    var next = unsafe first
    while let entry = unsafe next {
      if let address = unsafe OwnAddress(entry.pointee) {
        found.append((address.rank, address.text))
      }
      unsafe next = entry.pointee.ifa_next
    }
    // Addresses with the same rank keep the system's order.
    return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element.text)
  }
}

/// An address of this machine that other machines may reach.
private struct OwnAddress {
  let text: String
  /// The rank of the address by usefulness; a lower rank is better.
  let rank: Int

  /// Creates an address; nil if other machines cannot dial it because it is a loopback or link-local address, or its
  /// interface is inactive.
  init?(_ entry: ifaddrs) {
    let flags = unsafe Int(entry.ifa_flags)
    let wanted = IFF_UP | IFF_RUNNING
    guard flags & (wanted | IFF_LOOPBACK) == wanted, let address = unsafe entry.ifa_addr else {
      return nil
    }
    let family = unsafe Int32(address.pointee.sa_family)
    guard family == AF_INET || family == AF_INET6, let text = unsafe Self.text(address, family),
      !text.hasPrefix("fe80:"), !text.hasPrefix("169.254.")
    else { return nil }
    self.text = text
    // Bridges of containers and virtual machines rank last, because other machines are not connected to them.
    let name = unsafe String(cString: entry.ifa_name)
    let virtual = ["docker", "br-", "virbr", "veth", "vmnet", "lxc"]
    let isVirtual = virtual.contains { name.hasPrefix($0) }
    rank = (isVirtual ? 2 : 0) + (family == AF_INET ? 0 : 1)
  }

  private static func text(_ address: UnsafeMutablePointer<sockaddr>, _ family: Int32) -> String? {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    let code = unsafe getnameinfo(
      address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    guard code == 0 else { return nil }
    return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
