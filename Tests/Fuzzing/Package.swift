// swift-tools-version: 6.3
import PackageDescription

// The fuzzers are a separate package: libFuzzer contains a `main` function, and `swift test` would not link.

let package = Package(
  name: "fuzzing",
  dependencies: [.package(name: "daybook", path: "../..")],
  targets: [
    .executableTarget(
      name: "daybook-fuzz",
      dependencies: [.product(name: "FuzzTargets", package: "daybook")],
      swiftSettings: [
        .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
        .unsafeFlags(["-parse-as-library"]),
      ])
  ]
)
