"""Which partition Kafka's own producer would choose for a record."""

PARTITIONS = 3
_MASK = 0xFFFFFFFF
_M = 0x5BD1E995


def murmur2(data: bytes) -> int:
    """The 32-bit murmur2 of Kafka's clients, as an unsigned number."""
    h = (0x9747B28C ^ len(data)) & _MASK
    whole = len(data) // 4 * 4
    for i in range(0, whole, 4):
        k = int.from_bytes(data[i : i + 4], "little") * _M & _MASK
        k = (k ^ k >> 24) * _M & _MASK
        h = (h * _M & _MASK) ^ k
    rest = data[whole:]
    if rest:
        h = (h ^ int.from_bytes(rest, "little")) * _M & _MASK
    h = (h ^ h >> 13) * _M & _MASK
    return h ^ h >> 15


def partition_of(key: str, partitions: int = PARTITIONS) -> int:
    """The partition of a record with this key: murmur2 of its UTF-8 bytes, made positive."""
    return (murmur2(key.encode()) & 0x7FFFFFFF) % partitions
