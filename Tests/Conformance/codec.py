"""Deterministic CBOR by section 1 of protocol.md. Other items, such as floats, are kept as bytes."""
import math, struct

NESTING = 32


class Bad(Exception):
    """Bytes that violate the document."""


def must(condition, what):
    if not condition: raise Bad(what)


class Raw:
    """The bytes of a float, a tag, a simple value, or a map key that Python would confuse with another key."""
    def __init__(self, raw): self.raw = bytes(raw)
    def __eq__(self, other): return type(other) is Raw and self.raw == other.raw
    def __hash__(self): return hash(self.raw)


# Encoding.
def head(major, count):
    if count < 24: return bytes([major << 5 | count])
    width = next(n for n in range(4) if count < 1 << (8 << n))
    return bytes([major << 5 | 24 + width]) + count.to_bytes(1 << width, "big")


def cbor(item):
    if item is None: return b"\xf6"
    if item is True or item is False: return b"\xf5" if item else b"\xf4"
    if isinstance(item, int): return head(0, item) if item >= 0 else head(1, -1 - item)
    if isinstance(item, Raw): return item.raw
    if isinstance(item, bytes): return head(2, len(item)) + item
    if isinstance(item, str): return head(3, len(item.encode())) + item.encode()
    if isinstance(item, (list, tuple)): return head(4, len(item)) + b"".join(map(cbor, item))
    pairs = sorted((cbor(key), cbor(value)) for key, value in item.items())
    return head(5, len(pairs)) + b"".join(key + value for key, value in pairs)


# Decoding.
def decode(data, at=0, depth=0):
    """Returns the item at an offset, and the offset of its end."""
    must(at < len(data), "truncated")
    start, major, argument = at, data[at] >> 5, data[at] & 31
    at += 1
    must(argument < 28, "indefinite or reserved")
    if argument >= 24:
        width = 1 << argument - 24
        must(at + width <= len(data), "truncated")
        argument, at, least = int.from_bytes(data[at : at + width], "big"), at + width, 1 << 4 * width
        if major == 7: return simple(data, start, at, width, argument)
        must(argument >= (24 if width == 1 else least), "not the shortest")
    if major < 2: return (-1 - argument if major else argument), at
    if major < 4:
        must(argument <= len(data) - at, "truncated")
        content, at = bytes(data[at : at + argument]), at + argument
        return (content.decode() if major == 3 else content), at
    if major == 7: return {20: False, 21: True, 22: None}.get(argument, Raw(data[start:at])), at
    must(depth < NESTING, "too deep")
    if major == 6:
        value, at = decode(data, at, depth + 1)
        if argument in (2, 3): must(type(value) is bytes and len(value) > 8 and value[0], "a small big number")
        return Raw(data[start:at]), at
    must(argument * (major - 3) <= len(data) - at, "truncated")
    return items(data, at, depth, argument) if major == 4 else pairs(data, at, depth, argument)


def items(data, at, depth, count):
    found = []
    for _ in range(count):
        item, at = decode(data, at, depth + 1)
        found.append(item)
    return found, at


def pairs(data, at, depth, count):
    found, before = {}, b""
    for _ in range(count):
        start = at
        key, at = decode(data, at, depth + 1)
        raw = bytes(data[start:at])
        must(before < raw, "keys that do not ascend")
        value, at = decode(data, at, depth + 1)
        found[key if type(key) in (int, str, bytes) else Raw(raw)], before = value, raw
    return found, at


def simple(data, start, at, width, argument):
    """Returns a float, or a simple value of two bytes."""
    if width == 1: must(argument >= 32, "a simple value of two bytes")
    else:
        number = struct.unpack({2: ">e", 4: ">f", 8: ">d"}[width], data[start + 1 : at])[0]
        if math.isnan(number): must(data[start:at] == b"\xf9\x7e\x00", "another NaN")
        elif width > 2: must(not fits(number, width // 2), "not the shortest")
    return Raw(data[start:at]), at


def fits(number, width):
    code = {2: ">e", 4: ">f"}[width]
    try: return struct.unpack(code, struct.pack(code, number))[0] == number
    except OverflowError: return False


def loads(data):
    item, end = decode(data)
    must(end == len(data), "more behind")
    return item
