// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares everything below two directories: names, kinds, attributes, targets and bytes. */
final class TreeComparison {
  private static final int ATTRIBUTE_BYTES_MAX = 4096;
  private static final int CHUNK_BYTES = 1 << 20;

  private final Twins twins;
  private final Abilities abilities;

  /** Which file of the tested directory is which of the model, so that links are to the same. */
  private final Map<Long, Long> inodes = new HashMap<>();

  TreeComparison(Twins twins, Abilities abilities) {
    this.twins = twins;
    this.abilities = abilities;
  }

  void compare() {
    compare("");
  }

  private void compare(String path) {
    node(path);
    if (!stat(twins.model, path).isDirectory()) return;
    SortedSet<String> names = twins.same("names in '" + path + "'", side -> names(side, path));
    for (String name : names) compare(path.isEmpty() ? name : path + "/" + name);
  }

  /** Compares what one path leads to, without what is in it. */
  void node(String path) {
    LinuxFiles.Stat expected = stat(twins.model, path);
    LinuxFiles.Stat found = stat(twins.tested, path);
    String where = "'" + path + "'";
    if (!path.isEmpty()) attributes(where, expected, found);
    if (expected.isSymlink()) twins.same("target of " + where, side -> target(side, path));
    if (expected.isFile()) bytes(where, path, expected.sizeBytes());
    if (abilities.extendedAttributes() && !path.isEmpty()) {
      twins.same("extended attributes of " + where, side -> extended(side, path));
    }
    Long known = inodes.putIfAbsent(found.inode(), expected.inode());
    if (known != null) twins.require("whose inode " + where + " is", expected.inode(), known);
  }

  private void attributes(String where, LinuxFiles.Stat expected, LinuxFiles.Stat found) {
    twins.require(
        "mode of " + where,
        Integer.toOctalString(expected.mode()),
        Integer.toOctalString(found.mode()));
    twins.require("owner of " + where, expected.user(), found.user());
    twins.require("group of " + where, expected.group(), found.group());
    // What a directory's links and size are is for each file system to say.
    if (expected.isDirectory()) return;
    twins.require("links of " + where, expected.links(), found.links());
    twins.require("size of " + where, expected.sizeBytes(), found.sizeBytes());
  }

  private void bytes(String where, String path, long sizeBytes) {
    List<Integer> files = new ArrayList<>();
    for (Twins.Side side : List.of(twins.model, twins.tested)) {
      LinuxFiles.Outcome opened = side.linux.open(side.at(path), LinuxFiles.READ_ONLY, 0);
      twins.require("opening " + where + " to compare it: " + opened, opened.done());
      files.add((int) opened.value());
    }
    for (long at = 0; at < sizeBytes; at += CHUNK_BYTES) {
      twins.sameBytes(
          where + " from " + at,
          chunk(twins.model, files.get(0), at),
          chunk(twins.tested, files.get(1), at));
    }
    twins.model.linux.close(files.get(0));
    twins.tested.linux.close(files.get(1));
  }

  private byte[] chunk(Twins.Side side, int file, long at) {
    LinuxFiles.Outcome read = side.linux.read(file, CHUNK_BYTES, at);
    twins.require("reading to compare: " + read, read.done());
    return side.linux.bytes(read.value());
  }

  private LinuxFiles.Stat stat(Twins.Side side, String path) {
    LinuxFiles.Outcome outcome = side.linux.stat(side.at(path));
    twins.require("stat of '" + path + "' below " + side.root + ": " + outcome, outcome.done());
    return side.linux.found();
  }

  static String target(Twins.Side side, String path) {
    LinuxFiles.Outcome read = side.linux.readLink(side.at(path), ATTRIBUTE_BYTES_MAX);
    return read.done()
        ? new String(side.linux.bytes(read.value()), StandardCharsets.UTF_8)
        : read.toString();
  }

  /** Names and values in the {@code user} space: others are the file system's own. */
  static Map<String, String> extended(Twins.Side side, String path) {
    LinuxFiles.Outcome listed = side.linux.listAttributes(side.at(path), ATTRIBUTE_BYTES_MAX);
    if (!listed.done()) return Map.of("", listed.toString());
    String all = new String(side.linux.bytes(listed.value()), StandardCharsets.UTF_8);
    Map<String, String> values = new TreeMap<>();
    for (String name : all.split("\0", -1)) {
      if (!name.startsWith("user.")) continue;
      LinuxFiles.Outcome value = side.linux.getAttribute(side.at(path), name, ATTRIBUTE_BYTES_MAX);
      values.put(
          name,
          value.done()
              ? new String(side.linux.bytes(value.value()), StandardCharsets.ISO_8859_1)
              : value.toString());
    }
    return values;
  }

  static SortedSet<String> names(Twins.Side side, String path) {
    SortedSet<String> names = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(side.at(path)))) {
      for (Path entry : entries) names.add(entry.getFileName().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }
}
