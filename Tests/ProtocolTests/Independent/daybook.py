"""Writes logs and frames according to sections 1 to 6 of protocol.md, from its text alone."""

import pathlib
import struct
import sys
import zlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

sys.path.append(str(pathlib.Path(__file__).parents[2] / "Conformance"))
from reader import cbor, sha  # noqa: E402


def branch_id(first):
    return sha(b"daybook branch v1", first)[:16]


def salt(seed, sequence):
    return sha(b"daybook salt v1", seed, struct.pack(">Q", sequence))[:16]


def short(identifier):
    alphabet = "abcdefghijkmnpqrstuvwxyz23456789"
    bits = bin(int.from_bytes(identifier, "big"))[2:].zfill(128)
    groups = [bits[:4]] + [bits[place : place + 5].ljust(5, "0") for place in range(4, 128, 5)]
    return "".join(alphabet[int(group, 2)] for group in groups)


class Device:
    def __init__(self, signing, agreement, incarnation, name):
        self.signing_seed, self.agreement_seed = bytes([signing]) * 32, bytes([agreement]) * 32
        self.incarnation, self.name = bytes([incarnation]) * 16, name
        self.signing = Ed25519PrivateKey.from_private_bytes(self.signing_seed)
        self.key = self.raw(self.signing)
        self.agreement = self.raw(X25519PrivateKey.from_private_bytes(self.agreement_seed))
        self.id = sha(b"daybook replica v1", self.key, self.incarnation)[:16]

    @staticmethod
    def raw(private):
        return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def opening(self):
        return [8, self.key, self.agreement, self.incarnation, self.name]


class Log:
    """A log within its first block; index 0 of each list has the values before the first event."""

    def __init__(self, device, seed):
        self.device, self.seed = device, seed
        self.hash, self.time, self.when = [sha(b"daybook log v1", device.id)], [0], [0]
        self.headers, self.bodies, self.salts, self.salted = [None], [None], [None], [None]

    def add(self, delta, body, extras=None, when=None):
        extras = dict(extras or {})
        if when is not None:
            extras[0] = when - self.when[-1]
        self.salts.append(salt(self.seed, len(self.headers)))
        self.headers.append(cbor([delta, extras] if extras else delta))
        self.bodies.append(cbor(body))
        self.salted.append(sha(self.salts[-1], self.bodies[-1]))
        self.hash.append(sha(self.hash[-1], self.headers[-1], self.salted[-1]))
        self.time.append(self.time[-1] + delta)
        self.when.append(self.when[-1] if when is None else when)

    def branch(self, last):
        """A log that continues separately after an event, like the log of a copied device."""
        other = Log(self.device, self.seed)
        for name in ("headers", "bodies", "salts", "salted", "hash", "time", "when"):
            setattr(other, name, getattr(self, name)[: last + 1])
        return other

    def message(self, sequence):
        place = struct.pack(">QQ", sequence, self.time[sequence])
        return sha(b"daybook head v1", self.device.id, place, self.hash[sequence])

    def sign(self, sequence):
        return self.device.signing.sign(self.message(sequence))

    def content(self, first, last, count=0, table=None, head=False, stripped=None, newer=None):
        """The content of a frame; `stripped` maps sequences to stripped bodies, `newer` is added to the head."""
        stripped = stripped or {}
        salts = [None if n in stripped else self.salts[n] for n in range(first, last + 1)]
        information = {0: self.time[first - 1], 2: self.hash[first - 1]}
        information[3] = [salts if stripped else self.seed]
        if self.when[first - 1]:
            information[1] = self.when[first - 1]
        if count:
            information[4] = count
        if table:
            information[5] = table
        content = cbor(information)
        for sequence in range(first, last + 1):
            body = stripped.get(sequence, self.bodies[sequence])
            content += self.headers[sequence] + body
        return content + (cbor({0: self.sign(last), **(newer or {})}) if head else b"")


def stored(content):
    return b"\x01" + struct.pack("<HH", len(content), len(content) ^ 0xFFFF) + content


def deflated(content, level=6):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    return packed if len(packed) < len(content) + 5 else stored(content)


def sealed(content):
    return deflated(content, 9)


def member(content, first, count, pack=stored, replica=bytes(8), **fault):
    """A frame; `fault` gives additions to its parts, or their replacements."""
    packed = pack(content)
    more = fault.get("more", b"")
    length = 43 + len(more) + len(packed) + 8 + fault.get("length", 0)
    header = fault.get("start", b"\x1f\x8b\x08\x06\0\0\0\0\0\xff")
    header += struct.pack("<H", 29 + len(more))
    header += fault.get("label", b"DB\x19\0") + bytes([fault.get("version", 1)])
    header += struct.pack("<IQI", length, first, count) + replica[:8] + more
    header += struct.pack("<H", zlib.crc32(header) & 0xFFFF ^ fault.get("header_crc", 0))
    crc = zlib.crc32(content) ^ fault.get("crc", 0)
    return header + packed + struct.pack("<II", crc, len(content) + fault.get("isize", 0))
