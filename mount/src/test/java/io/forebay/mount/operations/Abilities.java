// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import java.util.ArrayList;
import java.util.List;

/**
 * What both directories can do beyond the usual. What one of them cannot is left out of a run and
 * told, so that a file system that lacks something can be tested, too.
 *
 * @param lacking what is left out, in words
 */
record Abilities(
    boolean maps,
    boolean extendedAttributes,
    boolean exchange,
    boolean allocate,
    boolean punch,
    boolean zero,
    boolean owners,
    boolean linksToSymlinks,
    List<String> lacking) {
  private static final String FILE = "ability";
  private static final String OTHER = "ability2";

  /** Tries everything on two files in an empty directory and deletes them again. */
  static Abilities of(Twins twins) {
    List<String> lacking = new ArrayList<>();
    for (Twins.Side side : List.of(twins.model, twins.tested)) prepare(side);
    Abilities found =
        new Abilities(
            can(twins, "mmap", lacking, Abilities::maps),
            can(
                twins,
                "user.* attributes",
                lacking,
                (linux, side, file) ->
                    linux.setAttribute(side.at(FILE), "user.a", new byte[] {1}, 0)),
            can(
                twins,
                "RENAME_EXCHANGE",
                lacking,
                (linux, side, file) ->
                    linux.rename(side.at(FILE), side.at(OTHER), LinuxFiles.RENAME_EXCHANGE)),
            can(twins, "fallocate", lacking, (linux, side, file) -> linux.allocate(file, 0, 0, 10)),
            can(
                twins,
                "punching holes",
                lacking,
                (linux, side, file) ->
                    linux.allocate(
                        file, LinuxFiles.ALLOCATE_PUNCH | LinuxFiles.ALLOCATE_KEEP_SIZE, 0, 10)),
            can(
                twins,
                "zeroing ranges",
                lacking,
                (linux, side, file) -> linux.allocate(file, LinuxFiles.ALLOCATE_ZERO, 0, 10)),
            can(
                twins,
                "giving files away",
                lacking,
                (linux, side, file) -> linux.changeOwner(side.at(FILE), 1, 1)),
            can(twins, "hard links to symlinks", lacking, Abilities::linkToSymlink),
            lacking);
    for (Twins.Side side : List.of(twins.model, twins.tested)) {
      side.linux.unlink(side.at(FILE));
      side.linux.unlink(side.at(OTHER));
    }
    return found;
  }

  private static void prepare(Twins.Side side) {
    for (String name : List.of(FILE, OTHER)) {
      int flags = LinuxFiles.READ_WRITE | LinuxFiles.CREATE;
      LinuxFiles.Outcome opened = side.linux.open(side.at(name), flags, 0644);
      if (!opened.done()) {
        throw new AssertionError("cannot make files in " + side.root + ": " + opened);
      }
      side.linux.write((int) opened.value(), new byte[100], 0);
      side.linux.close((int) opened.value());
    }
  }

  private interface Trial {
    LinuxFiles.Outcome on(LinuxFiles linux, Twins.Side side, int file);
  }

  private static boolean can(Twins twins, String what, List<String> lacking, Trial trial) {
    boolean all = true;
    for (Twins.Side side : List.of(twins.model, twins.tested)) {
      int file = (int) side.linux.open(side.at(FILE), LinuxFiles.READ_WRITE, 0).value();
      LinuxFiles.Outcome outcome = trial.on(side.linux, side, file);
      side.linux.close(file);
      if (!outcome.done()) {
        lacking.add(
            what + " (" + (side == twins.model ? "model" : "tested") + ": " + outcome + ")");
        all = false;
      }
    }
    return all;
  }

  private static LinuxFiles.Outcome maps(LinuxFiles linux, Twins.Side side, int file) {
    LinuxFiles.Outcome mapped = linux.map(file, 0, 100, true);
    if (mapped.done()) linux.unmap(mapped.value(), 100);
    return mapped;
  }

  private static LinuxFiles.Outcome linkToSymlink(LinuxFiles linux, Twins.Side side, int file) {
    String link = side.at("ability3");
    String linked = side.at("ability4");
    linux.symlink(FILE, link);
    LinuxFiles.Outcome outcome = linux.link(link, linked);
    linux.unlink(link);
    linux.unlink(linked);
    return outcome;
  }
}
