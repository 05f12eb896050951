import Glibc
import Platform

/// The numeric address of a host and port.
struct SocketAddress {
  let family: Int32
  let storage: sockaddr_storage
  let length: socklen_t

  /// Resolves a host name with the system's resolver.
  ///
  /// The best address comes first.
  static func resolve(
    host: String, port: UInt16, flags: Int32
  ) throws(NetworkError) -> [SocketAddress] {
    guard !host.utf8.contains(0) else { throw .unknownHost }
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = flags | AI_NUMERICSERV
    var first: UnsafeMutablePointer<addrinfo>? = nil
    let code = unsafe getaddrinfo(host, String(port), &hints, &first)
    defer { if let first = unsafe first { unsafe freeaddrinfo(first) } }
    switch code {
    case 0: break
    case EAI_SYSTEM: throw .other(errno)
    default: throw .unknownHost
    }
    var addresses: [SocketAddress] = []
    var next = unsafe first
    while let info = unsafe next {
      if let address = unsafe SocketAddress(info.pointee) { addresses.append(address) }
      unsafe next = info.pointee.ai_next
    }
    return addresses
  }

  private init?(_ info: addrinfo) {
    guard let address = unsafe info.ai_addr else { return nil }
    guard unsafe Int(info.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size else { return nil }
    var storage = sockaddr_storage()
    unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      unsafe bytes.copyMemory(
        from: UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
    }
    family = unsafe info.ai_family
    length = unsafe info.ai_addrlen
    self.storage = storage
  }

  /// Obtains the address from a call such as `getsockname` or `accept`.
  init(
    asking call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws(Errno) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    _ = try answer {
      unsafe withUnsafeMutablePointer(to: &storage) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          unsafe call(address, &length)
        }
      }
    }
    family = Int32(storage.ss_family)
    self.storage = storage
    self.length = length
  }

  /// Passes the address to a system call.
  func lend<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    unsafe withUnsafePointer(to: storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe body(address, length)
      }
    }
  }

  /// The port, in host byte order.
  var port: UInt16 {
    unsafe withUnsafeBytes(of: storage) { bytes in
      // In both address families, the big-endian port follows the two bytes that state the family.
      unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }
  }

  /// The numeric address and port, for messages.
  var text: String {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = unsafe lend { address, length in
      unsafe getnameinfo(
        address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    }
    guard code == 0 else { return "unknown" }
    let bytes = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let name = String(decoding: bytes, as: UTF8.self)
    return name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]:\(port)" : "\(name):\(port)"
  }
}
