// swift-tools-version: 6.3
import PackageDescription

// Read the targets from the top: each may use only what stands above it in this list.

let package = Package(
  name: "daybook",
  products: [
    // For other people's programs. DaybookSystem is the library with the machine that they run on, in one import.
    .library(name: "Daybook", targets: ["Daybook", "PosixPlatform", "DaybookSystem"]),
    // For the tests of such programs: a machine in memory.
    .library(name: "DaybookTesting", targets: ["DaybookTesting"]),
    // For the fuzzers, which are a package of their own: Tests/Fuzzing.
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
  ],
  targets: [
    // C libraries. Each is imported by one Swift target and by no other.
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["libz-dev"])]),
    // Where it is missing, zlib packs all.
    .systemLibrary(name: "CDeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLinux"),
    // A part of glibc.
    .systemLibrary(name: "CIconv"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

    // Matter: bytes and the C libraries that work on them.
    .layer("Bytes"),
    .layer("Gzip", uses: "CZlib", "CDeflate", "Bytes"),
    .layer("Crypto", uses: "Bytes", "COpenSSL"),
    .layer("SQLite", uses: "CSQLite"),
    .layer("CharacterSets", uses: "CIconv"),
    .layer("QR"),
    .layer("HTTP"),

    // The machine: its interface, the real one, and a simulated one.
    .layer("Platform"),
    .layer("PosixPlatform", uses: "CLinux", "Platform"),
    .layer("SimulatedPlatform", uses: "Platform"),

    // Object storage, which other people run.
    .layer("S3", uses: "Bytes", "Crypto", "HTTP", "Platform"),

    // The records of a book, and their storage and exchange.
    .layer("Domain", uses: "Bytes", "Crypto"),
    .layer("Journaling", uses: "Bytes", "Gzip", "Crypto", "Platform"),
    .layer("Sealing", uses: "Bytes", "Crypto", "Journaling"),
    .layer("Verifying", uses: "Bytes", "Gzip", "Crypto", "Platform"),
    .layer("Proving", uses: "Bytes", "Crypto"),
    .layer("ReadModel", uses: "Bytes", "SQLite", "Platform", "Domain"),
    .layer("Interchange", uses: "Bytes", "Crypto", "SQLite", "CharacterSets", "Domain"),
    .layer(
      "Syncing", uses: "Bytes", "Crypto", "HTTP", "Platform", "S3", "Journaling", "Sealing"),

    .layer(
      "Wording", uses: "Bytes", "Crypto", "SQLite", "HTTP", "Platform", "S3", "Domain",
      "Journaling", "Sealing", "ReadModel", "Interchange", "Syncing", isOptimized: false),

    // The library, and its user interfaces.
    .layer(
      "Daybook", uses: "Bytes", "Crypto", "Platform", "S3", "Domain", "Journaling", "Verifying",
      "Proving", "ReadModel", "Interchange", "Syncing", "Sealing", "Wording"),
    .layer("DaybookSystem", uses: "Platform", "PosixPlatform", "Daybook"),
    .layer("DaybookTesting", uses: "Platform", "SimulatedPlatform", "Daybook"),
    .layer(
      "Phrasing", uses: "Bytes", "Platform", "Domain", "Journaling", "ReadModel", "Interchange",
      "Syncing", "Crypto", "Wording", "Daybook", isOptimized: false),
    .layer(
      "Web", uses: "Bytes", "Gzip", "Crypto", "HTTP", "Platform", "Domain", "ReadModel", "Syncing",
      "Daybook",
      "Phrasing", embedding: "Assets", isOptimized: false),
    .layer(
      "Console", uses: "Bytes", "Crypto", "SQLite", "QR", "Platform", "Domain", "Journaling",
      "ReadModel", "Interchange", "Syncing", "Daybook", "Phrasing", "Web", "Verifying", "Proving",
      isOptimized: false),
    .layer(
      "Simulating",
      uses: "Bytes", "Crypto", "Platform", "SimulatedPlatform", "Domain", "Interchange",
      "Journaling", "Verifying", "ReadModel", "Syncing", "Sealing", "Wording",
      "Daybook"),
    .tool("daybook", uses: "Console", "Phrasing", "Platform", "PosixPlatform", "SimulatedPlatform"),
    .tool(
      "daybook-bench",
      uses: "Bytes", "Crypto", "Platform", "PosixPlatform", "Domain", "Journaling", "Verifying",
      "ReadModel", "Interchange", "Syncing", "Daybook"),
    .tool("daybook-example", uses: "DaybookSystem"),
    .tool("daybook-simulate", uses: "Platform", "PosixPlatform", "Simulating"),

    .target(
      name: "TestDice", dependencies: ["Bytes"], path: "Tests/TestDice", swiftSettings: .strict),
    .target(
      name: "StorageStandIn", dependencies: ["Bytes", "Crypto", "HTTP", "Platform", "S3"],
      path: "Tests/StorageStandIn", swiftSettings: .strict),
    .checks(of: "Bytes", uses: "TestDice"),
    .checks(of: "Gzip", uses: "Bytes", "TestDice"),
    .checks(of: "Crypto", uses: "Bytes"),
    .checks(of: "SQLite"),
    .checks(of: "CharacterSets"),
    .checks(of: "QR", uses: "Bytes", "Crypto"),
    .checks(of: "HTTP"),
    .checks(of: "Platform", uses: "PosixPlatform", "SimulatedPlatform"),
    .checks(of: "S3", uses: "HTTP", "Platform", "SimulatedPlatform"),
    .checks(of: "Domain", uses: "Bytes", "Crypto", "TestDice"),
    .checks(
      of: "Journaling",
      uses: "Bytes", "Gzip", "Crypto", "Platform", "PosixPlatform", "SimulatedPlatform",
      "Verifying", "TestDice"),
    .checks(of: "Sealing", uses: "Bytes", "Crypto"),
    .checks(
      of: "ReadModel", uses: "Bytes", "Domain", "SQLite", "Platform", "PosixPlatform", "TestDice"),
    .checks(of: "Interchange", uses: "Bytes", "SQLite", "Domain", "TestDice"),
    .checks(
      of: "Syncing", uses: "Bytes", "Crypto", "HTTP", "Platform", "PosixPlatform",
      "SimulatedPlatform", "S3", "Journaling", "Sealing", "Verifying", "StorageStandIn",
      "TestDice"),
    .checks(
      of: "Daybook", uses: "Bytes", "Crypto", "SQLite", "Platform", "PosixPlatform",
      "SimulatedPlatform", "S3", "Domain", "Journaling", "Verifying", "ReadModel", "Interchange",
      "Syncing", "Sealing", "DaybookSystem", "DaybookTesting", "StorageStandIn", "TestDice"),
    .checks(
      of: "Console", uses: "Bytes", "Crypto", "SQLite", "QR", "Platform", "PosixPlatform",
      "SimulatedPlatform", "Domain", "Journaling", "ReadModel", "Syncing", "S3", "Sealing",
      "Daybook",
      "Phrasing", "Proving", "TestDice",
      leaving: "Golden"),
    .checks(
      of: "Web",
      uses: "Bytes", "Crypto", "Gzip", "HTTP", "Platform", "PosixPlatform", "SimulatedPlatform",
      "Domain",
      "Interchange", "Journaling", "ReadModel", "Syncing", "Daybook", "Phrasing", "TestDice"),
    .checks(of: "Simulating", leaving: "harvest.md", "regressions.txt"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Bytes", "Gzip", "Crypto", "HTTP", "Platform", "SimulatedPlatform", "Domain", "Journaling",
        "Sealing", "ReadModel", "Interchange", "Syncing", "Phrasing", "Web", "Console",
      ], path: "Tests/FuzzTargets", swiftSettings: .strict),
    .checks(
      of: "FuzzTargets",
      uses: "Bytes", "Platform", "SimulatedPlatform", "Interchange", "Journaling", "Sealing",
      "Syncing", "Console"),
    .testTarget(
      name: "ProtocolTests",
      dependencies: [
        "Bytes", "Gzip", "Crypto", "Platform", "SimulatedPlatform", "Domain", "Journaling",
        "Verifying", "Proving", "Syncing", "S3", "Sealing",
      ], exclude: ["Independent"], swiftSettings: .strict),
    .testTarget(
      name: "CrashTests",
      dependencies: [
        "Bytes", "Crypto", "Platform", "SimulatedPlatform", "Journaling", "Verifying",
      ],
      swiftSettings: .strict),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "Bytes", "Crypto", "Platform", "SimulatedPlatform", "Domain", "Journaling", "Verifying",
        "ReadModel", "Daybook", "TestDice",
      ], path: "Tests/Conformance",
      exclude: [
        "assault.py", "besiege.py", "codec.py", "hostile.py", "odd.py", "oddbooks.py",
        "oddities.py", "peer.py", "reader.py", "rules.py", "strands.py",
      ], swiftSettings: .strict),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "daybook", "daybook-example", "Bytes", "Gzip", "Crypto", "Platform", "PosixPlatform",
        "Journaling", "Syncing", "TestDice",
      ], swiftSettings: .strict),
    .testTarget(name: "RepositoryTests", swiftSettings: .strict),
  ]
)

extension Target {
  static func layer(
    _ name: String, uses names: String..., embedding folder: String? = nil,
    isOptimized: Bool = true
  ) -> Target {
    .target(
      name: name, dependencies: names.map { .byName(name: $0) },
      resources: folder.map { [.embedInCode($0)] },
      swiftSettings: .strict + (isOptimized ? .optimized : []))
  }

  static func tool(_ name: String, uses names: String...) -> Target {
    .executableTarget(
      name: name, dependencies: names.map { .byName(name: $0) }, path: "Tools/\(name)",
      swiftSettings: .strict)
  }

  static func checks(
    of subject: String, uses names: String..., leaving others: String...
  ) -> Target {
    .testTarget(
      name: "\(subject)Tests", dependencies: ([subject] + names).map { .byName(name: $0) },
      exclude: others, swiftSettings: .strict)
  }
}

extension [SwiftSetting] {
  /// Optimises the libraries in debug builds too, where `Tools/check` spends most of its time.
  ///
  /// The user interfaces are left out: optimising Console takes 162 s of processor time instead of 33 s, and its tests
  /// take little.
  ///
  /// Otherwise the flag must be absent: no package may depend on a package with such flags.
  static var optimized: [SwiftSetting] {
    Context.environment["DAYBOOK_CHECK"] == nil ? [] : [.unsafeFlags(["-O"])]
  }

  static var strict: [SwiftSetting] {
    [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
      .enableUpcomingFeature("ImmutableWeakCaptures"),
      .enableExperimentalFeature("Lifetimes"),
      .strictMemorySafety(),
      .treatAllWarnings(as: .error),
    ]
  }
}
