// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Two directories on which everything is done alike: the model, on a local file system, and the
 * tested one. Whatever differs ends the run with what was done before. One thread uses it.
 */
final class Twins implements AutoCloseable {
  private static final int TOLD_MAX = 60;

  /** One of the two. */
  static final class Side {
    final Path root;
    final LinuxFiles linux;

    Side(Path root, int transferBytesMax) {
      this.root = root;
      this.linux = new LinuxFiles(transferBytesMax);
    }

    String at(String path) {
      return path.isEmpty() ? root.toString() : root + "/" + path;
    }
  }

  /** A file that is open in both. */
  record Handle(int number, String path, int flags, int model, int tested) {
    boolean writable() {
      return (flags & 3) != LinuxFiles.READ_ONLY;
    }

    boolean mappable() {
      return (flags & 3) == LinuxFiles.READ_WRITE;
    }

    @Override
    public String toString() {
      return "#" + number;
    }
  }

  /** A call on one of them. */
  interface Call {
    LinuxFiles.Outcome on(Side side);
  }

  /** A call on an open file of one of them. */
  interface FileCall {
    LinuxFiles.Outcome on(LinuxFiles linux, int file);
  }

  /** Something to be the same in both. */
  interface Sight<T> {
    T of(Side side);
  }

  final Side model;
  final Side tested;
  final SplittableRandom random;
  private final List<String> told = new ArrayList<>();
  private final Map<String, Integer> done = new TreeMap<>();

  Twins(Path model, Path tested, SplittableRandom random, int transferBytesMax) {
    this.model = new Side(model, transferBytesMax);
    this.tested = new Side(tested, transferBytesMax);
    this.random = random;
  }

  /** Does the same in both; result and errno must be the same. */
  LinuxFiles.Outcome both(String what, Call call) {
    LinuxFiles.Outcome expected = expect(what, call);
    require(what, expected, call.on(tested));
    return expected;
  }

  /** The same on a file that is open. */
  LinuxFiles.Outcome both(String what, Handle handle, FileCall call) {
    return both(what + " " + handle, side -> call.on(side.linux, file(side, handle)));
  }

  int file(Side side, Handle handle) {
    return side == model ? handle.model : handle.tested;
  }

  /**
   * Does the same in both where the value means nothing to the other; only errno must be the same.
   * Gives both outcomes, the model's first.
   */
  List<LinuxFiles.Outcome> apart(String what, Call call) {
    LinuxFiles.Outcome expected = expect(what, call);
    LinuxFiles.Outcome found = call.on(tested);
    require(what + ", errno", expected.errno(), found.errno());
    return List.of(expected, found);
  }

  private LinuxFiles.Outcome expect(String what, Call call) {
    told.add(what);
    LinuxFiles.Outcome expected = call.on(model);
    told.set(told.size() - 1, what + ": " + expected);
    if (expected.done()) done.merge(what.split(" ", 2)[0], 1, Integer::sum);
    return expected;
  }

  /** Compares something that is not told unless it differs. */
  <T> T same(String what, Sight<T> sight) {
    T expected = sight.of(model);
    require(what, expected, sight.of(tested));
    return expected;
  }

  void sameBytes(String what, byte[] expected, byte[] found) {
    int at = Arrays.mismatch(expected, found);
    if (at < 0) return;
    throw new AssertionError(
        "%s: differs first at byte %d: %s instead of %s; %d bytes instead of %d%s"
            .formatted(
                what,
                at,
                byteAt(found, at),
                byteAt(expected, at),
                found.length,
                expected.length,
                story()));
  }

  private static String byteAt(byte[] bytes, int at) {
    return at < bytes.length ? "%02x".formatted(bytes[at]) : "the end";
  }

  void require(String what, Object expected, Object found) {
    if (Objects.equals(expected, found)) return;
    throw new AssertionError(
        "%s: expected %s, found %s%s".formatted(what, expected, found, story()));
  }

  void require(String what, boolean holds) {
    if (!holds) throw new AssertionError(what + story());
  }

  /** How often each operation did something, by the call's name. */
  Map<String, Integer> done() {
    return done;
  }

  /** What was done at last. */
  String story() {
    int from = Math.max(0, told.size() - TOLD_MAX);
    StringBuilder story = new StringBuilder("\nafter " + told.size() + " operations, at last:");
    for (int i = from; i < told.size(); i++)
      story.append("\n  ").append(i).append(' ').append(told.get(i));
    return story.toString();
  }

  @Override
  public void close() {
    model.linux.close();
    tested.linux.close();
  }
}
