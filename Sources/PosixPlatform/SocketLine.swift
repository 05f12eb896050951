import Platform

/// A line that uses one socket for both directions.
protocol SocketLine: Line, Described {
  var socket: Socket { get }
}

extension SocketLine {
  func receive(upTo count: Int, patienceMilliseconds: Int) throws(NetworkError) -> [UInt8] {
    try socket.receive(upTo: count, patienceMilliseconds: patienceMilliseconds)
  }

  func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    try socket.send(bytes, patienceMilliseconds: patienceMilliseconds)
  }

  func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int { try socket.offer(bytes) }

  func lend<Value>(
    to call: (Int32) throws(Errno) -> Value
  ) throws(NetworkError) -> Value { try socket.lend(to: call) }
}
