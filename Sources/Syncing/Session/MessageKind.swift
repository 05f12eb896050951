/// The kinds of messages, with their numbers in the protocol.
enum MessageKind: UInt64 {
  case hello = 0
  case frame = 1
  case end = 2
  case have = 3
  case refusal = 4
  case prove = 5
  case alive = 6
  case asking = 7
}
