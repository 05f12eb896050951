/// A file that somebody carries from one machine to another.
struct Parcel {
  var bytes: [UInt8]
  var number: Int
  var target: Station
}
