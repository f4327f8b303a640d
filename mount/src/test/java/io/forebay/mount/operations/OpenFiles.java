// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import io.forebay.mount.operations.Twins.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random operations on files that are open, some of which have lost their name. */
final class OpenFiles {
  static final int TRANSFER_BYTES_MAX = 3 << 20;

  private static final int FILES_MAX = 7;
  private static final int MAPS_MAX = 3;
  private static final long FILE_BYTES_MAX = 5L << 20;
  private static final int PAGE_BYTES = 4096;
  private static final int[] EDGES = {1, 512, PAGE_BYTES, 65536, 128 << 10, 1 << 20};

  /** A part of a file that is in memory, at an address for each of the two. */
  private record Mapping(
      Handle handle, long position, long lengthBytes, boolean writable, long model, long tested) {}

  private final Twins twins;
  private final SplittableRandom random;
  private final Abilities abilities;
  private final List<Handle> handles = new ArrayList<>();
  private final List<Mapping> mappings = new ArrayList<>();
  private int opened;

  OpenFiles(Twins twins, Abilities abilities) {
    this.twins = twins;
    this.random = twins.random;
    this.abilities = abilities;
  }

  void open(String path, int flags, int mode) {
    if (handles.size() == FILES_MAX) close();
    String what = "open '%s' flags %o mode %o".formatted(path, flags, mode);
    List<LinuxFiles.Outcome> both =
        twins.apart(what, side -> side.linux.open(side.at(path), flags, mode));
    if (!both.get(0).done()) return;
    Handle handle =
        new Handle(++opened, path, flags, (int) both.get(0).value(), (int) both.get(1).value());
    // A directory cannot be written or mapped, which others try out.
    handles.add(handle);
  }

  void close() {
    if (handles.isEmpty()) return;
    close(handles.get(random.nextInt(handles.size())));
  }

  private void close(Handle handle) {
    handles.remove(handle);
    // A mapping holds its file, so that it may outlive the handle; half of them do.
    if (random.nextBoolean()) unmapAll(handle);
    twins.both("close", handle, LinuxFiles::close);
  }

  void closeAll() {
    while (!mappings.isEmpty()) unmap(mappings.getLast());
    while (!handles.isEmpty()) close(handles.getLast());
  }

  /** Does something with a file that is open; false if there is none. */
  boolean operate() {
    if (handles.isEmpty()) return false;
    Handle handle = handles.get(random.nextInt(handles.size()));
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> write(handle, position(handle));
      case 4, 5 -> write(handle, -1);
      case 6, 7, 8 -> read(handle, position(handle));
      case 9 -> read(handle, -1);
      case 10 -> seek(handle);
      case 11 -> truncate(handle);
      case 12, 13 -> map(handle);
      case 14 -> allocate(handle);
      case 15 -> holes(handle);
      case 16 -> force(handle);
      case 17 -> copy(handle, handles.get(random.nextInt(handles.size())));
      case 18 -> changeMode(handle);
      default -> stat(handle);
    }
    return true;
  }

  private long sizeBytes(Handle handle) {
    twins.model.linux.stat(handle.model());
    return twins.model.linux.found().sizeBytes();
  }

  /** A place around which things happen: the beginning, the end, an edge of something. */
  private long position(Handle handle) {
    long size = sizeBytes(handle);
    long place =
        switch (random.nextInt(5)) {
          case 0 -> 0;
          case 1 -> size;
          case 2 -> (size == 0 ? 0 : random.nextLong(size)) & -PAGE_BYTES;
          case 3 -> random.nextInt(4 * PAGE_BYTES);
          default -> size == 0 ? 0 : random.nextLong(size);
        };
    return Math.clamp(place + random.nextInt(-1, 2), 0, FILE_BYTES_MAX);
  }

  private int length() {
    int edge = EDGES[random.nextInt(EDGES.length)];
    return switch (random.nextInt(8)) {
      case 0 -> edge;
      case 1 -> Math.min(TRANSFER_BYTES_MAX, edge + random.nextInt(-1, 2));
      case 2 -> random.nextInt(256 << 10);
      case 3 -> random.nextInt(16) == 0 ? random.nextInt(TRANSFER_BYTES_MAX) : 3;
      default -> random.nextInt(3 * PAGE_BYTES);
    };
  }

  private byte[] content(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private void write(Handle handle, long position) {
    long end = position < 0 ? sizeBytes(handle) : position;
    byte[] bytes = content(end >= FILE_BYTES_MAX ? 1 : length());
    String place = position < 0 ? "" : " at " + position;
    twins.both(
        "write %d%s to".formatted(bytes.length, place),
        handle,
        (linux, file) -> linux.write(file, bytes, position));
  }

  private void read(Handle handle, long position) {
    int length = length();
    String what = "read " + length + (position < 0 ? "" : " at " + position) + " of";
    LinuxFiles.Outcome read =
        twins.both(what, handle, (linux, file) -> linux.read(file, length, position));
    if (!read.done()) return;
    twins.sameBytes(
        what + " " + handle,
        twins.model.linux.bytes(read.value()),
        twins.tested.linux.bytes(read.value()));
  }

  private void seek(Handle handle) {
    long position = position(handle);
    twins.both(
        "seek to " + position + " in",
        handle,
        (linux, file) -> linux.seek(file, position, LinuxFiles.SEEK_SET));
  }

  private void truncate(Handle handle) {
    long size = random.nextInt(4) == 0 ? random.nextLong(1 << 20) : position(handle);
    twins.both("truncate to " + size, handle, (linux, file) -> linux.truncate(file, size));
  }

  private void allocate(Handle handle) {
    List<Integer> modes = new ArrayList<>();
    if (abilities.allocate()) modes.addAll(List.of(0, LinuxFiles.ALLOCATE_KEEP_SIZE));
    if (abilities.punch()) {
      modes.add(LinuxFiles.ALLOCATE_PUNCH | LinuxFiles.ALLOCATE_KEEP_SIZE);
      modes.add(LinuxFiles.ALLOCATE_PUNCH | LinuxFiles.ALLOCATE_KEEP_SIZE);
    }
    if (abilities.zero()) {
      modes.addAll(
          List.of(
              LinuxFiles.ALLOCATE_ZERO, LinuxFiles.ALLOCATE_ZERO | LinuxFiles.ALLOCATE_KEEP_SIZE));
    }
    if (modes.isEmpty() || !handle.writable()) return;
    int mode = modes.get(random.nextInt(modes.size()));
    long position = position(handle);
    long length = length();
    twins.both(
        "fallocate mode %d, %d at %d of".formatted(mode, length, position),
        handle,
        (linux, file) -> linux.allocate(file, mode, position, length));
  }

  /** Where holes are is for each file system to say, as long as there is nothing in them. */
  private void holes(Handle handle) {
    twins.model.linux.stat(handle.model());
    if (!twins.model.linux.found().isFile()) return;
    long size = sizeBytes(handle);
    long from = position(handle);
    LinuxFiles linux = twins.tested.linux;
    LinuxFiles.Outcome data = linux.seek(handle.tested(), from, LinuxFiles.SEEK_DATA);
    LinuxFiles.Outcome hole = linux.seek(handle.tested(), from, LinuxFiles.SEEK_HOLE);
    String what =
        "%s from %d of %d bytes: data %s, hole %s".formatted(handle, from, size, data, hole);
    if (from >= size) {
      twins.require(what, LinuxFiles.NO_SUCH_ADDRESS, data.errno());
      twins.require(what, LinuxFiles.NO_SUCH_ADDRESS, hole.errno());
    } else {
      twins.require(what, hole.done() && hole.value() >= from && hole.value() <= size);
      twins.require(what, data.done() || data.errno() == LinuxFiles.NO_SUCH_ADDRESS);
      long empty = data.done() ? data.value() : size;
      twins.require(what, empty >= from && empty <= size);
      requireZeros(what, handle, from, (int) Math.min(empty - from, TRANSFER_BYTES_MAX));
    }
    // Seeking has moved the position of one.
    twins.both("seek to 0 in", handle, (each, file) -> each.seek(file, 0, LinuxFiles.SEEK_SET));
  }

  private void requireZeros(String what, Handle handle, long from, int length) {
    if ((handle.flags() & 3) == LinuxFiles.WRITE_ONLY) return;
    LinuxFiles.Outcome read = twins.model.linux.read(handle.model(), length, from);
    twins.sameBytes(what, new byte[length], twins.model.linux.bytes(read.value()));
  }

  private void force(Handle handle) {
    boolean dataOnly = random.nextBoolean();
    twins.both(
        dataOnly ? "fdatasync" : "fsync", handle, (linux, file) -> linux.force(file, dataOnly));
  }

  private void copy(Handle from, Handle to) {
    if ((to.flags() & LinuxFiles.APPEND) != 0) return;
    long fromPosition = position(from);
    long toPosition = position(to);
    int length = length();
    if (growsAsItIsCopied(from, fromPosition, to, toPosition, length)) return;
    String what =
        "copy_file_range %d from %s at %d to %s at %d"
            .formatted(length, from, fromPosition, to, toPosition);
    // How much is copied at once is for each to say: ask on until there is nothing more.
    twins.both(what, side -> copyAll(side, from, fromPosition, to, toPosition, length));
  }

  /** What is copied behind the end of the same file is there to be copied then, byte by byte. */
  private boolean growsAsItIsCopied(
      Handle from, long fromPosition, Handle to, long toPosition, int length) {
    if (toPosition <= fromPosition || toPosition >= fromPosition + length) return false;
    LinuxFiles linux = twins.model.linux;
    if (!linux.stat(from.model()).done()) return false;
    LinuxFiles.Stat source = linux.found();
    return linux.stat(to.model()).done()
        && linux.found().inode() == source.inode()
        && source.sizeBytes() < fromPosition + length;
  }

  private LinuxFiles.Outcome copyAll(
      Twins.Side side, Handle from, long fromPosition, Handle to, long toPosition, int length) {
    long done = 0;
    while (true) {
      LinuxFiles.Outcome step =
          side.linux.copyRange(
              twins.file(side, from),
              fromPosition + done,
              twins.file(side, to),
              toPosition + done,
              length - done);
      if (!step.done() && done == 0) return step;
      done += Math.max(0, step.value());
      if (step.value() <= 0 || done == length) return new LinuxFiles.Outcome(done, 0);
    }
  }

  private void changeMode(Handle handle) {
    int mode = Names.MODES[random.nextInt(Names.MODES.length)];
    twins.both("fchmod %o".formatted(mode), handle, (linux, file) -> linux.changeMode(file, mode));
  }

  private void stat(Handle handle) {
    twins.both("fstat", handle, LinuxFiles::stat);
    LinuxFiles.Stat expected = twins.model.linux.found();
    LinuxFiles.Stat found = twins.tested.linux.found();
    twins.require("fstat " + handle + ", mode", expected.mode(), found.mode());
    if (expected.isDirectory()) return;
    twins.require("fstat " + handle + ", links", expected.links(), found.links());
    twins.require("fstat " + handle + ", size", expected.sizeBytes(), found.sizeBytes());
  }

  private void map(Handle handle) {
    if (!abilities.maps()) return;
    if (mappings.size() == MAPS_MAX) unmap(mappings.get(random.nextInt(MAPS_MAX)));
    if (!mappings.isEmpty() && random.nextBoolean()) {
      touch(mappings.get(random.nextInt(mappings.size())));
      return;
    }
    long size = sizeBytes(handle);
    if (size == 0) return;
    long position = random.nextLong(size) & -PAGE_BYTES;
    long length = Math.min(size - position, 1 + length());
    boolean writable = handle.writable() && random.nextBoolean();
    String what = "mmap %d at %d of %s".formatted(length, position, handle);
    List<LinuxFiles.Outcome> both =
        twins.apart(
            what, side -> side.linux.map(twins.file(side, handle), position, length, writable));
    if (!both.get(0).done()) return;
    Mapping mapping =
        new Mapping(handle, position, length, writable, both.get(0).value(), both.get(1).value());
    mappings.add(mapping);
    touch(mapping);
  }

  /** Reads or writes a part of it that the file still has: the rest would be a SIGBUS. */
  private void touch(Mapping mapping) {
    if (!handles.contains(mapping.handle)) {
      unmap(mapping);
      return;
    }
    long there = Math.min(mapping.lengthBytes, sizeBytes(mapping.handle) - mapping.position);
    if (there <= 0) return;
    int at = random.nextInt((int) there);
    int length = 1 + random.nextInt((int) there - at);
    String what =
        "%d at %d of the map of %s".formatted(length, mapping.position + at, mapping.handle);
    if (mapping.writable && random.nextInt(3) > 0) {
      byte[] bytes = content(length);
      twins.both("poke " + what, side -> poke(side, address(side, mapping) + at, bytes));
      if (random.nextInt(3) == 0) {
        twins.both(
            "msync", side -> side.linux.syncMap(address(side, mapping), mapping.lengthBytes));
      }
    } else {
      twins.sameBytes(
          "peek " + what,
          twins.model.linux.peek(mapping.model + at, length),
          twins.tested.linux.peek(mapping.tested + at, length));
    }
  }

  private static LinuxFiles.Outcome poke(Twins.Side side, long address, byte[] bytes) {
    side.linux.poke(address, bytes);
    return new LinuxFiles.Outcome(bytes.length, 0);
  }

  private long address(Twins.Side side, Mapping mapping) {
    return side == twins.model ? mapping.model : mapping.tested;
  }

  private void unmapAll(Handle handle) {
    for (Mapping mapping : List.copyOf(mappings)) {
      if (mapping.handle.equals(handle)) unmap(mapping);
    }
  }

  private void unmap(Mapping mapping) {
    mappings.remove(mapping);
    twins.both(
        "munmap of " + mapping.handle,
        side -> side.linux.unmap(address(side, mapping), mapping.lengthBytes));
  }
}
