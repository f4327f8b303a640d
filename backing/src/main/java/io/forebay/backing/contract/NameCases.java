// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.contract;

import static io.forebay.backing.contract.Scratch.require;
import static io.forebay.backing.contract.Scratch.requireEquals;
import static io.forebay.backing.contract.Scratch.requireFailure;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.FileAttributes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Cases of reading, listing, and changes of names. */
final class NameCases {
  private static final List<Class<? extends BackingFailure>> NO_SUCH_FILE =
      List.of(BackingFailure.NotFound.class, BackingFailure.WrongKind.class);

  private final BackingContract contract;

  NameCases(BackingContract contract) {
    this.contract = contract;
  }

  void add() {
    contract.add("the root can be used", this::root);
    contract.add("ranges are read, and checksums of them", this::ranges);
    contract.add("a reader is told that a file has changed", this::changed);
    contract.add("what is not there is not found", this::missing);
    contract.add("long directories are listed piece by piece", this::pages);
    contract.add("directories are made, also empty ones, and removed", this::directories);
    contract.add("files are deleted", this::deletes);
    contract.add("files are renamed, also over others", this::renames);
    if (contract.store().capabilities().symlinks()) {
      contract.add("symbolic links are kept and never followed", this::symlinks);
    } else {
      contract.add("symbolic links are refused", this::noSymlinks);
    }
  }

  private void root(Scratch scratch) throws BackingException {
    scratch.store.check();
    requireEquals(BackingFile.Kind.DIRECTORY, scratch.store.stat(BackingPath.ROOT).kind());
  }

  private void ranges(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] content = scratch.content(300_000);
    scratch.save(path, content);
    ByteBuffer target = ByteBuffer.allocate(1_000).position(100).limit(600);
    requireEquals(500, scratch.store.read(path, BackingStore.ANY_VERSION, 123_456, target));
    requireEquals(600, target.position());
    requireEquals(ByteBuffer.wrap(content, 123_456, 500), target.position(100));
    ByteBuffer atEnd = ByteBuffer.allocateDirect(1_000);
    requireEquals(10, scratch.store.read(path, BackingStore.ANY_VERSION, 299_990, atEnd));
    requireEquals(0, scratch.store.read(path, BackingStore.ANY_VERSION, 300_000, atEnd));
    requireEquals(0, scratch.store.read(path, BackingStore.ANY_VERSION, 900_000, atEnd));
    CRC32C crc = new CRC32C();
    crc.update(content, 1_000, 250_000);
    requireEquals(
        (int) crc.getValue(),
        scratch.store.checksum(path, BackingStore.ANY_VERSION, 1_000, 250_000));
    requireFailure(
        BackingFailure.Changed.class,
        () -> scratch.store.checksum(path, BackingStore.ANY_VERSION, 0, 300_001));
  }

  private void changed(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    scratch.save(path, scratch.content(5_000));
    String version = scratch.store.stat(path).version();
    requireEquals(5_000, scratch.store.read(path, version, 0, ByteBuffer.allocate(9_000)));
    scratch.save(path, scratch.content(5_001));
    require(!version.equals(scratch.store.stat(path).version()), "the version stayed the same");
    requireFailure(
        BackingFailure.Changed.class,
        () -> scratch.store.read(path, version, 0, ByteBuffer.allocate(10)));
    requireFailure(BackingFailure.Changed.class, () -> scratch.store.delete(path, version));
    scratch.store.delete(path, scratch.store.stat(path).version());
    scratch.requireAbsent(path);
  }

  private void missing(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("no/such/file");
    BackingStore store = scratch.store;
    scratch.requireAbsent(path);
    ByteBuffer target = ByteBuffer.allocate(10);
    requireFailure(
        BackingFailure.NotFound.class, () -> store.read(path, BackingStore.ANY_VERSION, 0, target));
    requireEquals(0, target.position());
    requireFailure(BackingFailure.NotFound.class, () -> store.list(path).next(1));
    requireFailure(
        BackingFailure.NotFound.class, () -> store.delete(path, BackingStore.ANY_VERSION));
    requireFailure(BackingFailure.NotFound.class, () -> store.rename(path, scratch.path("to")));
    requireFailure(BackingFailure.NotFound.class, () -> store.removeDirectory(path));
    store.makeDirectory(scratch.path("directory"), FileAttributes.NONE);
    requireFailure(
        () -> store.read(scratch.path("directory"), BackingStore.ANY_VERSION, 0, target),
        NO_SUCH_FILE);
  }

  private void pages(Scratch scratch) throws BackingException {
    List<String> expected = new ArrayList<>();
    for (int i = 10; i < 35; i++) {
      expected.add("file-" + i);
      scratch.save(scratch.path("file-" + i), scratch.content(i));
    }
    scratch.store.makeDirectory(scratch.path("sub/below"), FileAttributes.NONE);
    expected.add("sub");
    // An attempt in progress is not listed.
    var attempt = scratch.begin(scratch.path("under-way"), new byte[3]);
    requireEquals(expected, scratch.names(scratch.directory, 4));
    requireEquals(expected, scratch.names(scratch.directory, 1_000));
    requireEquals(20L, scratch.store.stat(scratch.path("file-20")).sizeBytes());
    scratch.store.abort(attempt);
  }

  private void directories(Scratch scratch) throws BackingException {
    BackingStore store = scratch.store;
    BackingPath inner = scratch.path("outer/inner");
    store.makeDirectory(inner, FileAttributes.NONE);
    store.makeDirectory(inner, FileAttributes.NONE);
    requireEquals(BackingFile.Kind.DIRECTORY, store.stat(inner).kind());
    requireEquals(List.of(), scratch.names(inner, 10));
    requireEquals(List.of("inner"), scratch.names(scratch.path("outer"), 10));
    requireFailure(
        BackingFailure.NotEmpty.class, () -> store.removeDirectory(scratch.path("outer")));
    store.removeDirectory(inner);
    scratch.requireAbsent(inner);
    store.removeDirectory(scratch.path("outer"));
    scratch.requireAbsent(scratch.path("outer"));
    scratch.save(scratch.path("file"), scratch.content(3));
    requireFailure(() -> store.removeDirectory(scratch.path("file")), NO_SUCH_FILE);
  }

  private void deletes(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    scratch.save(path, scratch.content(10));
    scratch.store.delete(path, BackingStore.ANY_VERSION);
    scratch.requireAbsent(path);
    requireFailure(
        BackingFailure.NotFound.class, () -> scratch.store.delete(path, BackingStore.ANY_VERSION));
  }

  private void renames(Scratch scratch) throws BackingException {
    byte[] content = scratch.content(70_000);
    scratch.save(scratch.path("from"), content);
    scratch.save(scratch.path("below/to"), scratch.content(5));
    scratch.store.rename(scratch.path("from"), scratch.path("below/to"));
    scratch.requireAbsent(scratch.path("from"));
    scratch.requireContent(scratch.path("below/to"), content);
    requireEquals(List.of("to"), scratch.names(scratch.path("below"), 10));
    scratch.store.rename(scratch.path("below/to"), scratch.path("other/place"));
    scratch.requireContent(scratch.path("other/place"), content);
  }

  private void symlinks(Scratch scratch) throws BackingException {
    BackingStore store = scratch.store;
    byte[] content = scratch.content(10);
    scratch.save(scratch.path("real/file"), content);
    store.makeSymlink(scratch.path("link"), "real");
    requireEquals("real", store.readSymlink(scratch.path("link")));
    requireEquals(BackingFile.Kind.SYMLINK, store.stat(scratch.path("link")).kind());
    requireFailure(BackingFailure.WrongKind.class, () -> store.stat(scratch.path("link/file")));
    requireFailure(
        BackingFailure.WrongKind.class, () -> scratch.begin(scratch.path("link/new"), content));
    requireFailure(
        BackingFailure.WrongKind.class,
        () -> store.makeDirectory(scratch.path("link/new"), FileAttributes.NONE));
    requireFailure(BackingFailure.WrongKind.class, () -> store.list(scratch.path("link")));
    store.makeSymlink(scratch.path("to-file"), "real/file");
    requireFailure(
        BackingFailure.WrongKind.class,
        () ->
            store.read(
                scratch.path("to-file"), BackingStore.ANY_VERSION, 0, ByteBuffer.allocate(1)));
    // Storing a file under the name of a link replaces the link, not its target.
    byte[] newer = scratch.content(20);
    scratch.save(scratch.path("to-file"), newer);
    scratch.requireContent(scratch.path("to-file"), newer);
    scratch.requireContent(scratch.path("real/file"), content);
    store.delete(scratch.path("link"), BackingStore.ANY_VERSION);
    scratch.requireContent(scratch.path("real/file"), content);
  }

  private void noSymlinks(Scratch scratch) throws BackingException {
    requireFailure(
        BackingFailure.Unsupported.class,
        () -> scratch.store.makeSymlink(scratch.path("link"), "target"));
    scratch.requireAbsent(scratch.path("link"));
  }
}
