/// A bundle that is on its way to a station.
struct Parcel {
  var bytes: [UInt8]
  var number: Int
  var target: Station
}
