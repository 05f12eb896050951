import Platform
import S3
import SimulatedPlatform
import Testing

struct SharedSettingsTests {
  private static let credentials = """
    # comment
    [default]
    aws_access_key_id = DEFAULT
    aws_secret_access_key=default=secret

    [work]
    AWS_ACCESS_KEY_ID=WORK
    aws_secret_access_key = work secret
    aws_session_token = token
    [half]
    aws_access_key_id = HALF
    """

  private static let config = """
    [default]
    region = eu-central-1
    s3 =
      addressing_style = path
    [profile work]
    endpoint_url = https://s3.example.com
    [work]
    region = nowhere
    [profile tool]
    credential_process = "/opt/my tool" --print key
    """

  private func settings(
    _ variables: [String: String] = [:], hasFiles: Bool = true
  ) throws -> SharedSettings {
    let simulated = SimulatedMachine(seed: 1)
    if hasFiles {
      try simulated.disk.makeDirectories(Path("/home/.aws"))
      try simulated.disk.replace(
        Path("/home/.aws/credentials"), with: Array(Self.credentials.utf8))
      try simulated.disk.replace(Path("/home/.aws/config"), with: Array(Self.config.utf8))
    }
    let all = variables.merging(["HOME": "/home"]) { given, _ in given }
    return try SharedSettings(
      of: Machine(
        disk: simulated.disk, timekeeper: simulated.timekeeper, dice: simulated.dice,
        network: simulated.network, variable: { all[$0] }))
  }

  @Test func `Access key: without a profile, that of the default profile is used`() throws {
    let settings = try settings()
    #expect(try settings.key() == AccessKey(id: "DEFAULT", secret: "default=secret"))
    #expect(settings.region == "eu-central-1")
    #expect(settings.endpoint == nil)
  }

  @Test func `Access key: a profile is chosen by its name`() throws {
    let settings = try settings(["AWS_PROFILE": "work"])
    #expect(
      try settings.key() == AccessKey(id: "WORK", secret: "work secret", sessionToken: "token"))
    #expect(settings.region == nil)
    #expect(settings.endpoint == "https://s3.example.com")
  }

  @Test func `Access key: variables take precedence over files`() throws {
    let settings = try settings([
      "AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "B", "AWS_SESSION_TOKEN": "",
      "AWS_REGION": "eu-west-1", "AWS_ENDPOINT_URL": "http://localhost:8333",
    ])
    #expect(try settings.key() == AccessKey(id: "A", secret: "B"))
    #expect(settings.region == "eu-west-1")
    #expect(settings.endpoint == "http://localhost:8333")
  }

  @Test func `Access key: without files and variables there is none`() throws {
    #expect(try settings(hasFiles: false).key() == nil)
  }

  @Test func `Access key: what is incomplete is not used`() throws {
    #expect(throws: CredentialFault.noProfile("play")) {
      try self.settings(["AWS_PROFILE": "play"])
    }
    #expect(throws: CredentialFault.incomplete("half")) {
      try self.settings(["AWS_PROFILE": "half"]).key()
    }
    #expect(throws: CredentialFault.incomplete("AWS_ACCESS_KEY_ID")) {
      try self.settings(["AWS_ACCESS_KEY_ID": "A"]).key()
    }
    // The simulated machine has no such program.
    #expect(throws: CredentialFault.program("/opt/my tool")) {
      try self.settings(["AWS_PROFILE": "tool"]).key()
    }
  }
}
