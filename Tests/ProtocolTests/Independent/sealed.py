"""Reads and writes the bytes of a sealed store according to docs/store-protocol.md, from its text alone.

    python3 sealed.py [--write] ../../../docs/store-vectors.md

Computes the test vectors, checks that each good one is read and each bad one refused with its error, and compares all
with those in the document or writes them there. It needs only Python and the package `cryptography`.
"""

import base64
import hashlib
import hmac
import re
import struct
import sys

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Refused(Exception):
    """An error, spelt as in the document."""


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def mac(key, *parts):
    return hmac.digest(key, b"".join(parts), "sha256")


def extract(secret, salt=b""):
    return mac(salt or bytes(32), secret)


def expand(key, info, count):
    result = code = b""
    while len(result) < count:
        code = mac(key, code, info, bytes([len(result) // 32 + 1]))
        result += code
    return result[:count]


def hkdf(secret, info, count, salt=b""):
    return expand(extract(secret, salt), info, count)


def public(private):
    return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


# Section 2: store keys.
def key_id(key):
    return sha(b"daybook key id v1", key)[:16]


# Section 3: names.
def range_bytes(replica, first, last, hash16):
    return replica + struct.pack(">QQ", first, last) + hash16


def letters(content):
    return base64.b32encode(content).decode().rstrip("=").lower()


def hide(key, code, content):
    return Cipher(ChaCha20(key, code), None).encryptor().update(content)


def seal_name(key, content, kind="e"):
    secrets = hkdf(key, b"daybook name v1", 64)
    code = mac(secrets[:32], kind.encode(), content)[:16]
    return kind + "-" + letters(key_id(key)[:8] + code + hide(secrets[32:], code, content))


def parse_name(text):
    """The kind of a name and its bytes."""
    if text == "bell":
        return "bell", b""
    kind, rest = text[:2], text[2:]
    if kind not in ("e-", "l-", "k-", "p-"):
        raise Refused("kind")
    count = len(rest.encode())
    if count != (141 if kind in ("e-", "l-") else 32):
        raise Refused(f"length({count})")
    if kind not in ("e-", "l-"):
        if not re.fullmatch("[0-9a-f]*", rest):
            raise Refused("letter")
        return kind[0], bytes.fromhex(rest)
    if not re.fullmatch("[a-z2-7]*", rest):
        raise Refused("letter")
    content = base64.b32decode(rest.upper() + "===")
    if letters(content) != rest:
        raise Refused("unusedBits")
    return kind[0], content


def open_name(key, text):
    """Replica, first, last, hash and digest; for a loss, the two parts of the hash."""
    kind, sealed = parse_name(text)
    if sealed[:8] != key_id(key)[:8]:
        raise Refused("key")
    secrets = hkdf(key, b"daybook name v1", 64)
    code, content = sealed[8:24], hide(secrets[32:], sealed[8:24], sealed[24:])
    if mac(secrets[:32], kind.encode(), content)[:16] != code:
        raise Refused("code")
    first, last = struct.unpack(">QQ", content[16:32])
    if not 0 < first <= last < 1 << 62:
        raise Refused("range")
    return content[:16], first, last, content[32:48], content[48:]


# Section 4: objects.
MAGIC = b"DBSEAL\0\1"


def padded_size(count):
    if count <= 256:
        return 256
    exponent = count.bit_length() - 1
    mask = (1 << exponent - exponent.bit_length()) - 1
    return (count + mask) & ~mask


def object_secrets(key, salt):
    secrets = hkdf(key, b"daybook object v1", 60, salt)
    return secrets[:32], secrets[32:44], secrets[44:]


def place(store, where):
    return b"daybook object v1" + store + range_bytes(*where)


def seal_padded(key, store, where, padded):
    begin = MAGIC + key_id(key)
    salt = mac(hkdf(key, b"daybook object salt v1", 32), place(store, where), begin, padded)
    secret, nonce, commitment = object_secrets(key, salt)
    header = begin + salt + commitment
    return header + ChaCha20Poly1305(secret).encrypt(nonce, padded, place(store, where) + header)


def seal(key, store, where, frames):
    content = struct.pack(">I", len(frames)) + frames
    return seal_padded(key, store, where, content.ljust(padded_size(len(content)), b"\0"))


def name_of(key, where, sealed):
    return seal_name(key, range_bytes(*where) + sha(sealed)[:16])


def open_object(key, store, name, sealed):
    """The frames in an object."""
    *where, digest = open_name(key, name)
    if sha(sealed)[:16] != digest:
        raise Refused("digest")
    size = len(sealed) - 88
    if not 256 <= size <= 16 << 20 or padded_size(size) != size:
        raise Refused(f"size({len(sealed)})")
    header, salt, commitment = sealed[:72], sealed[24:56], sealed[56:72]
    if header[:8] != MAGIC:
        raise Refused("magic")
    if header[8:24] != key_id(key):
        raise Refused("key")
    secret, nonce, right = object_secrets(key, salt)
    if commitment != right:
        raise Refused("commitment")
    try:
        padded = ChaCha20Poly1305(secret).decrypt(nonce, sealed[72:], place(store, where) + header)
    except InvalidTag:
        raise Refused("tag") from None
    (count,) = struct.unpack(">I", padded[:4])
    if padded_size(4 + count) != size:
        raise Refused(f"length({count})")
    for at in range(4 + count, size):
        if padded[at]:
            raise Refused(f"padding(at: {at})")
    return padded[4 : 4 + count]


# Section 5: encrypting for a device (RFC 9180).
KEM, SUITE = b"KEM\0\x20", b"HPKE\0\x20\0\1\0\3"


def labeled_extract(suite, label, secret, salt=b""):
    return extract(b"HPKE-v1" + suite + label + secret, salt)


def labeled_expand(suite, key, label, info, count):
    return expand(key, struct.pack(">H", count) + b"HPKE-v1" + suite + label + info, count)


def hpke_context(exchanged, encapsulated, recipient, info):
    key = labeled_extract(KEM, b"eae_prk", exchanged)
    shared = labeled_expand(KEM, key, b"shared_secret", encapsulated + recipient, 32)
    schedule = b"\0" + labeled_extract(SUITE, b"psk_id_hash", b"")
    schedule += labeled_extract(SUITE, b"info_hash", info)
    secret = labeled_extract(SUITE, b"secret", b"", shared)
    cipher = ChaCha20Poly1305(labeled_expand(SUITE, secret, b"key", schedule, 32))
    return cipher, labeled_expand(SUITE, secret, b"base_nonce", schedule, 12)


def hpke_seal(message, recipient, ephemeral, info, data):
    private = X25519PrivateKey.from_private_bytes(ephemeral)
    exchanged = private.exchange(X25519PublicKey.from_public_bytes(recipient))
    cipher, nonce = hpke_context(exchanged, public(private), recipient, info)
    return public(private), cipher.encrypt(nonce, message, data)


def hpke_open(encapsulated, ciphertext, private, info, data):
    exchanged = private.exchange(X25519PublicKey.from_public_bytes(encapsulated))
    cipher, nonce = hpke_context(exchanged, encapsulated, public(private), info)
    return cipher.decrypt(nonce, ciphertext, data)


# CBOR, as far as packages and rings need it.
def head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    width = next(w for w in range(4) if number < 1 << (8 << w))
    return bytes([major << 5 | 24 + width]) + number.to_bytes(1 << width, "big")


def cbor(item):
    if item is None or isinstance(item, bool):
        return {None: b"\xf6", False: b"\xf4", True: b"\xf5"}[item]
    if isinstance(item, str):
        return head(3, len(item.encode())) + item.encode()
    if isinstance(item, int):
        return head(0, item)
    if isinstance(item, bytes):
        return head(2, len(item)) + item
    return head(4, len(item)) + b"".join(map(cbor, item))


class Reader:
    KINDS = {0: "unsigned", 2: "bytes", 3: "text", 4: "array"}

    def __init__(self, content):
        self.content, self.at = content, 0

    def head(self, major):
        start = self.at
        if start >= len(self.content):
            raise Refused(f"content(truncated(at: {start}))")
        first = self.content[start]
        if first >> 5 != major:
            raise Refused(f"content(wrongType(expected: {self.KINDS[major]}, at: {start}))")
        self.at += 1
        if first & 31 < 24:
            return first & 31
        width = 1 << (first & 31) - 24
        number = int.from_bytes(self.content[self.at : self.at + width], "big")
        self.at += width
        if self.at > len(self.content):
            raise Refused(f"content(truncated(at: {start}))")
        if len(head(0, number)) <= width:
            raise Refused(f"content(notShortest(at: {start}))")
        return number

    def array(self, count=None, limit=1 << 64):
        start = self.at
        found = self.head(4)
        if found > len(self.content) - self.at or found > limit:
            raise Refused(f"content(tooMany(at: {start}))")
        if count is not None and found != count:
            raise Refused(f"content(wrongLength(expected: {count}, at: {start}))")
        return range(found)

    def text(self):
        return self.bytes(major=3).decode()

    def truth(self):
        self.at += 1
        return self.content[self.at - 1] == 0xF5

    def bytes(self, count=None, major=2):
        start = self.at
        found = self.head(major)
        if found > len(self.content) - self.at:
            raise Refused(f"content(truncated(at: {start}))")
        if count is not None and found != count:
            raise Refused(f"content(wrongLength(expected: {count}, at: {start}))")
        self.at += found
        return self.content[self.at - found : self.at]

    def time(self):
        start = self.at
        number = self.head(0)
        if number >= 1 << 63:
            raise Refused(f"content(outOfRange(at: {start}))")
        return number

    def version(self):
        other = Reader(self.content)
        if not other.array():
            raise Refused(f"content(truncated(at: {other.at}))")
        version = other.head(0)
        if version != 1:
            raise Refused(f"version({version})")

    def end(self):
        if self.at < len(self.content):
            raise Refused(f"content(trailing(at: {self.at}))")


# Section 6: key packages.
def signing_key(key):
    """Refuses the keys with which nothing is proved; here only those in the vectors."""
    if key == bytes(32):
        raise Refused("signingKey(keyOfSmallOrder)")
    return key


def ascending(items):
    if any(left >= right for left, right in zip(items, items[1:])):
        raise Refused("order")


def signs(key, signature, *message):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, b"".join(message))
        return True
    except InvalidSignature:
        return False


def make_origin(book, key, time, maker, revoked):
    fields = [book, key_id(key), time, public(maker), sorted(revoked)]
    return [*fields, maker.sign(b"daybook store key v1" + cbor(fields))]


def recipient_id(agreement, key):
    return sha(b"daybook recipient v1", key, agreement)[:16]


def make_wrap(key, book, agreement):
    seed = hkdf(key, b"daybook key wrap v1" + book + agreement, 32)
    info = b"daybook key v1" + book + key_id(key)
    return [recipient_id(agreement, key_id(key)), *hpke_seal(key, agreement, seed, info, b"")]


def make_package(key, origin, packager, agreements):
    wraps = sorted(make_wrap(key, origin[0], each) for each in agreements)
    return seal_package(key, wraps, make_statement(origin, packager, wraps))


def make_statement(origin, packager, wraps):
    fields = [origin, public(packager), wraps]
    signature = packager.sign(b"daybook key package v1" + cbor(fields))
    return cbor([origin, public(packager), signature])


def statement_secrets(key, salt):
    secrets = hkdf(key, b"daybook statement v1", 44, salt)
    return ChaCha20Poly1305(secrets[:32]), secrets[32:]


def seal_package(key, wraps, statement, version=1, named=None):
    salt = mac(hkdf(key, b"daybook statement salt v1", 32), statement)
    cipher, nonce = statement_secrets(key, salt)
    named = named or key_id(key)
    return cbor([version, named, wraps, salt, cipher.encrypt(nonce, statement, salt)])


def read_origin(reader):
    reader.array(6)
    fields = [reader.bytes(16), reader.bytes(16), reader.time(), reader.bytes(32)]
    fields.append([reader.bytes(32) for _ in reader.array(limit=16384)])
    return [*fields, reader.bytes(64)]


def check_origin(origin):
    for key in origin[4]:
        signing_key(key)
    ascending(origin[4])
    signing_key(origin[3])


def package_name(content):
    return "k-" + sha(content)[:16].hex()


def read_package(content, name):
    if len(content) > 1 << 20:
        raise Refused(f"tooLong({len(content)})")
    if package_name(content) != name:
        raise Refused("digest")
    reader = Reader(content)
    reader.version()
    reader.array(5)
    reader.head(0)
    key, start, wraps = reader.bytes(16), reader.at, []
    for _ in reader.array(limit=4096):
        reader.array(3)
        wraps.append([reader.bytes(16), reader.bytes(32), reader.bytes(48)])
    if not wraps:
        raise Refused(f"content(wrongLength(expected: 1, at: {start}))")
    salt, statement = reader.bytes(32), reader.bytes()
    reader.end()
    ascending([wrap[0] for wrap in wraps])
    return key, wraps, salt, statement


def unwrap(named, wraps, book, agreement):
    mine = recipient_id(public(agreement), named)
    found = [wrap for wrap in wraps if wrap[0] == mine]
    if not found:
        raise Refused("notARecipient")
    try:
        key = hpke_open(*found[0][1:], agreement, b"daybook key v1" + book + named, b"")
    except (InvalidTag, ValueError):
        raise Refused("wrap") from None
    if key_id(key) != named:
        raise Refused("otherKey")
    return key


def open_package(content, name, book, packagers, agreement):
    """The store key in a package, and its origin."""
    named, wraps, salt, statement = read_package(content, name)
    key = unwrap(named, wraps, book, agreement)
    cipher, nonce = statement_secrets(key, salt)
    try:
        reader = Reader(cipher.decrypt(nonce, statement, salt))
    except InvalidTag:
        raise Refused("statement") from None
    reader.array(3)
    origin, packager, signature = read_origin(reader), reader.bytes(32), reader.bytes(64)
    reader.end()
    check_origin(origin)
    signing_key(packager)
    if origin[1] != named:
        raise Refused("otherKey")
    if not signs(origin[3], origin[5], b"daybook store key v1", cbor(origin[:5])):
        raise Refused("originSignature")
    if not signs(packager, signature, b"daybook key package v1", cbor([origin, packager, wraps])):
        raise Refused("packageSignature")
    if origin[0] != book:
        raise Refused("otherBook")
    if packager not in packagers:
        raise Refused("stranger")
    return key, origin


# Section 7: the key ring.
def read_ring(content):
    """Book, and for each key its bytes and its origin."""
    if len(content) > 64 << 20:
        raise Refused(f"tooLong({len(content)})")
    reader = Reader(content)
    reader.version()
    reader.array(3)
    reader.head(0)
    book, keys = reader.bytes(16), []
    for _ in reader.array(limit=4096):
        reader.array(2)
        keys.append((reader.bytes(32), read_origin(reader)))
    reader.end()
    for key, origin in keys:
        check_origin(origin)
        if key_id(key) != origin[1]:
            raise Refused("otherKey")
    ascending([(origin[2], origin[1]) for _, origin in keys])
    if len({key for key, _ in keys}) < len(keys):
        raise Refused("order")
    if any(origin[0] != book for _, origin in keys):
        raise Refused("otherBook")
    return book, keys


def is_fit(origin, admitted, revoked):
    return origin[3] in admitted - revoked and revoked <= set(origin[4])


# Section 10: joining through a store.
KNOCK, ANSWER = b"daybook knock v1", b"daybook knock answer v1"


def store_invitation(content):
    check = sha(b"daybook store invitation v1", content)[:4]
    return "daybookstore1:" + letters(content + check).upper()


def read_store_invitation(text):
    """Key of the inviter, secret, book, store, and the items of the place."""
    prefix, _, rest = text.partition(":")
    assert prefix.lower() == "daybookstore1", prefix
    rest = re.sub(r"[\s-]", "", rest).upper()
    content = base64.b32decode(rest + "=" * (-len(rest) % 8))
    if sha(b"daybook store invitation v1", content[:-4])[:4] != content[-4:]:
        raise Refused("mistyped")
    reader = Reader(content[:-4])
    reader.array(5)
    key, secret, book, store = (reader.bytes(count) for count in (32, 16, 16, 16))
    if len(reader.array()) == 1:
        place = [reader.text()]
    else:
        place = [reader.text(), reader.text(), reader.text(), reader.truth()]
    reader.end()
    return key, secret, book, store, place


class Secret:
    """The secret of an invitation to a store."""

    def __init__(self, secret, book, store, inviter):
        self.secret, self.place, self.inviter = secret, book + store + inviter, inviter
        secrets = hkdf(secret, b"daybook knock secrets v1" + self.place, 96)
        self.naming, self.salting, self.sealing = secrets[:32], secrets[32:64], secrets[64:]
        self.name = sha(b"daybook invitation name v1", secret)[:16]

    def object_name(self, purpose):
        return "p-" + mac(self.naming, purpose)[:16].hex()

    def cipher(self, purpose, salt):
        secrets = hkdf(self.sealing, purpose, 44, salt)
        return ChaCha20Poly1305(secrets[:32]), secrets[32:]

    def seal_padded(self, purpose, padded, begin=b"DBKNOCK\x01"):
        salt = mac(self.salting, purpose, padded)
        cipher, nonce = self.cipher(purpose, salt)
        return begin + salt + cipher.encrypt(nonce, padded, begin + salt)

    def seal(self, purpose, content):
        return self.seal_padded(purpose, (struct.pack(">I", len(content)) + content).ljust(256, b"\0"))

    def open(self, purpose, content):
        if len(content) != 312:
            raise Refused(f"size({len(content)})")
        if content[:8] != b"DBKNOCK\x01":
            raise Refused("magic")
        cipher, nonce = self.cipher(purpose, content[8:40])
        try:
            padded = cipher.decrypt(nonce, content[40:], content[:40])
        except InvalidTag:
            raise Refused("tag") from None
        count = struct.unpack(">I", padded[:4])[0]
        if 4 + count > 256:
            raise Refused(f"length({count})")
        for at in range(4 + count, 256):
            if padded[at]:
                raise Refused(f"padding(at: {at})")
        return padded[4 : 4 + count]

    def knock_message(self, key, agreement, name):
        return KNOCK + self.place + self.name + key + agreement + name.encode()

    def answer_message(self, outcome, key, name):
        outcome = struct.pack(">Q", outcome)
        return ANSWER + self.place + self.name + outcome + (key or bytes(32)) + name.encode()


def make_knock(secret, signing, agreement, name):
    key = public(signing)
    signature = signing.sign(secret.knock_message(key, agreement, name))
    return secret.seal(KNOCK, cbor([key, agreement, name, signature]))


def read_knock(secret, content):
    """Signing key, agreement key and name of the joiner."""
    reader = Reader(secret.open(KNOCK, content))
    reader.array(4)
    key, agreement, name = reader.bytes(32), reader.bytes(32), reader.text()
    signature = reader.bytes(64)
    reader.end()
    if not 1 <= len(name.encode()) <= 100 or any(ord(letter) < 0x20 for letter in name):
        raise Refused("name")
    signing_key(key)
    if agreement == bytes(32):
        raise Refused("agreementKey(keyOfSmallOrder)")
    if not signs(key, signature, secret.knock_message(key, agreement, name)):
        raise Refused("signature")
    return key, agreement, name


def make_answer(secret, signing, outcome, key, name):
    signature = signing.sign(secret.answer_message(outcome, key, name))
    return secret.seal(ANSWER, cbor([outcome, key, name, signature]))


def read_answer(secret, content):
    """Outcome, key and name."""
    reader = Reader(secret.open(ANSWER, content))
    reader.array(4)
    outcome, key = reader.head(0), None
    if reader.content[reader.at] == 0xF6:
        reader.at += 1
    else:
        key = reader.bytes(32)
    name, signature = reader.text(), reader.bytes(64)
    reader.end()
    if len(name.encode()) > 128:
        raise Refused("name")
    if key is not None:
        signing_key(key)
    if not signs(secret.inviter, signature, secret.answer_message(outcome, key, name)):
        raise Refused("signature")
    return outcome, key, name


if __name__ == "__main__":
    import sealedvectors

    sys.exit(sealedvectors.main(sys.argv[-1], "--write" in sys.argv))
