package import Platform

/// This machine's access key and settings for object storage, from the places where the programs of AWS keep them:
/// environment variables, and the files `credentials` and `config`.
package struct SharedSettings {
  private let machine: Machine
  /// The name of the profile.
  private let profile: String
  /// Whether the user has chosen the profile.
  private let isChosen: Bool
  private let credentials: ProfileFile
  private let config: ProfileFile

  /// Reads the files.
  ///
  /// - Throws: ``CredentialFault`` if a file cannot be read, or if the chosen profile does not exist.
  package init(of machine: Machine) throws(CredentialFault) {
    self.machine = machine
    let chosen = Self.value("AWS_PROFILE", on: machine)
    (profile, isChosen) = (chosen ?? "default", chosen != nil)
    credentials = ProfileFile(
      try Self.text("AWS_SHARED_CREDENTIALS_FILE", or: "credentials", on: machine),
      sectionPrefix: nil)
    config = ProfileFile(
      try Self.text("AWS_CONFIG_FILE", or: "config", on: machine), sectionPrefix: "profile")
    guard !isChosen || credentials[profile] != nil || config[profile] != nil else {
      throw .noProfile(profile)
    }
  }

  /// The maximum size of a file.
  private static let fileBytes = 1 << 20

  /// Returns the value of a variable; nil if the variable is not set or is empty.
  private static func value(_ name: String, on machine: Machine) -> String? {
    machine.variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the text of the file that a variable names, or of the usual file in the user's folder.
  ///
  /// The text is empty if there is no such file.
  private static func text(
    _ variable: String, or name: String, on machine: Machine
  ) throws(CredentialFault) -> String {
    let home = value("HOME", on: machine).map { $0 + "/.aws/" + name }
    guard let place = value(variable, on: machine) ?? home else { return "" }
    let path = Path(place)
    do throws(DiskError) {
      return String(
        decoding: try machine.disk.contents(of: path, limit: fileBytes), as: UTF8.self)
    } catch {
      guard error.reason == .notFound else { throw .unreadable(path, error.reason) }
      return ""
    }
  }

  private func value(_ name: String) -> String? { Self.value(name, on: machine) }

  private func setting(_ name: String) -> String? {
    let found = credentials[profile]?[name] ?? config[profile]?[name]
    return found.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The region; nil if none is set.
  package var region: String? {
    value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? setting("region")
  }

  /// The URL of the service; nil to use AWS.
  package var endpoint: String? {
    value("AWS_ENDPOINT_URL_S3") ?? value("AWS_ENDPOINT_URL") ?? setting("endpoint_url")
  }

  /// Returns the access key from the environment, from the files, or from the program that the profile names; nil if
  /// there is none.
  ///
  /// - Throws: ``CredentialFault``.
  package func key() throws(CredentialFault) -> AccessKey? {
    let named = try Self.key(
      value("AWS_ACCESS_KEY_ID"), value("AWS_SECRET_ACCESS_KEY"), value("AWS_SESSION_TOKEN"),
      of: "AWS_ACCESS_KEY_ID")
    if let named { return named }
    for file in [credentials[profile], config[profile]] {
      let stored = try Self.key(
        file?["aws_access_key_id"], file?["aws_secret_access_key"], file?["aws_session_token"],
        of: profile)
      if let stored { return stored }
    }
    guard let command = setting("credential_process") else { return nil }
    return try CredentialProgram(command).key(on: machine)
  }

  private static func key(
    _ id: String?, _ secret: String?, _ token: String?, of place: String
  ) throws(CredentialFault) -> AccessKey? {
    switch (id, secret) {
    case (nil, nil): return nil
    case (let id?, let secret?):
      return AccessKey(
        id: id, secret: secret, sessionToken: token.flatMap { $0.isEmpty ? nil : $0 })
    default: throw .incomplete(place)
    }
  }
}
