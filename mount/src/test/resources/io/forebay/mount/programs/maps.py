"""Maps a file in several processes at once; ends with an error if any byte is not as it must be."""

import fcntl
import mmap
import os
import struct
import subprocess
import sys

SIZE = 2 * 1024 * 1024 + 777
PROCESSES = 4
INCREMENTS = 50


def write_and_read():
    data = bytearray(os.urandom(SIZE))
    with open("mapped", "wb") as file:
        file.write(data)
    with open("mapped", "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        assert mapped[:] == data
        for at in range(0, SIZE - 100, 100_003):
            mapped[at : at + 100] = data[at : at + 100] = os.urandom(100)
        mapped.flush()
        # What is written beside the map is in it, and the other way round.
        os.pwrite(file.fileno(), b"beside", 4090)
        data[4090:4096] = b"beside"
        assert mapped[4090:4096] == b"beside"
        mapped[5000:5003] = data[5000:5003] = b"map"
        assert os.pread(file.fileno(), 3, 5000) == b"map"
        mapped.resize(SIZE + 4096)
        mapped[SIZE : SIZE + 3] = b"end"
    data += b"end" + bytes(4093)
    with open("mapped", "rb") as file:
        assert file.read() == data


def count():
    """Adds to a number that all processes have mapped, one at a time thanks to a lock."""
    with open("counter", "r+b") as file, mmap.mmap(file.fileno(), 4096) as mapped:
        for _ in range(INCREMENTS):
            fcntl.lockf(file, fcntl.LOCK_EX)
            value = struct.unpack_from("<q", mapped)[0]
            struct.pack_into("<q", mapped, 0, value + 1)
            fcntl.lockf(file, fcntl.LOCK_UN)


if len(sys.argv) > 1:
    count()
    sys.exit()
write_and_read()
with open("counter", "wb") as file:
    file.write(bytes(4096))
others = [subprocess.Popen([sys.executable, __file__, "count"]) for _ in range(PROCESSES)]
assert all(other.wait() == 0 for other in others)
with open("counter", "rb") as file:
    assert struct.unpack("<q", file.read(8))[0] == PROCESSES * INCREMENTS
