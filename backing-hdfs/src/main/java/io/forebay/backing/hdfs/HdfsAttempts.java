// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.hdfs;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Leftover;
import io.forebay.backing.Sighting;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/** The temporary files of a store in HDFS; the handle is the file's id. Any thread. */
final class HdfsAttempts {
  /** No other user reads an incomplete file. */
  private static final FsPermission TEMPORARY_PERMISSION = new FsPermission((short) 0600);

  /** The mode of files whose mode is unknown. */
  private static final int MODE_DEFAULT = 0644;

  private static final int BUFFER_BYTES = 64 << 10;

  /** How often, and with which pauses, a file is checked that its former writer left open. */
  private static final int RECOVERY_LOOKS_MAX = 40;

  private static final long RECOVERY_PAUSE_MILLIS = 250;

  private final HdfsRoot root;
  private final OpenWriters writers = new OpenWriters();

  HdfsAttempts(HdfsRoot root) {
    this.root = root;
  }

  /**
   * Closes the file again at once: each writer, here or in another process, opens it to append, and
   * HDFS then excludes all others.
   */
  Attempt begin(DistributedFileSystem files, AttemptPlan plan)
      throws IOException, BackingException {
    root.requireRoot(files);
    Path path = temporary(plan.target().parent(), plan.id().text());
    short replication = root.settings.replication();
    files
        .create(
            path,
            TEMPORARY_PERMISSION,
            EnumSet.of(CreateFlag.CREATE),
            BUFFER_BYTES,
            replication == 0 ? files.getDefaultReplication(path) : replication,
            files.getDefaultBlockSize(path),
            null)
        .close();
    HdfsFileStatus status = HdfsRoot.find(files, path);
    if (status == null) throw new FileNotFoundException(path.toString());
    return new Attempt(plan, HdfsRoot.identity(status));
  }

  void write(DistributedFileSystem files, Attempt attempt, long offset, List<ByteBuffer> source)
      throws IOException, BackingException {
    long bytes = 0;
    for (ByteBuffer buffer : source) bytes += buffer.remaining();
    if (offset < 0 || bytes > attempt.plan().sizeBytes() - offset) {
      throw new IllegalArgumentException(
          "%d bytes at %d are outside of %s".formatted(bytes, offset, attempt));
    }
    Writer writer = writers.get(attempt.id());
    synchronized (writer) {
      if (!writer.isOpen()) open(files, attempt, writer);
      if (offset > writer.length()) {
        throw changed(
            attempt.plan().target(),
            "it has %d bytes, and those at %d come next".formatted(writer.length(), offset));
      }
      writer.append(offset, source);
    }
    for (ByteBuffer buffer : source) buffer.position(buffer.limit());
  }

  void force(Attempt attempt) throws IOException {
    writers.force(attempt.id());
  }

  void release(Attempt attempt) {
    writers.release(attempt.id());
  }

  List<String> commit(DistributedFileSystem files, Attempt attempt, BackingPath name)
      throws IOException, BackingException {
    writers.force(attempt.id());
    Path temporary = temporary(attempt.plan().target().parent(), attempt.id().text());
    HdfsFileStatus status = own(attempt, HdfsRoot.find(files, temporary));
    if (status == null) {
      if (look(files, attempt, name) == Sighting.COMMITTED) return List.of();
      throw changed(name, "its temporary file is gone");
    }
    takeOver(files, temporary);
    HdfsFileStatus settled = HdfsRoot.find(files, temporary);
    if (settled == null || settled.getLen() != attempt.plan().sizeBytes()) {
      throw changed(name, "its temporary file has not all bytes");
    }
    List<String> notKept = setAttributes(files, temporary, attempt.plan().attributes());
    files.mkdirs(root.path(name.parent()));
    files.rename(temporary, root.path(name), Options.Rename.OVERWRITE);
    return notKept;
  }

  Sighting look(DistributedFileSystem files, Attempt attempt, BackingPath name)
      throws IOException, BackingException {
    HdfsFileStatus stored = HdfsRoot.find(files, root.path(name));
    if (attempt.isTold()
        && own(attempt, stored) != null
        && stored != null
        && stored.getLen() == attempt.plan().sizeBytes()) {
      return Sighting.COMMITTED;
    }
    Path temporary = temporary(attempt.plan().target().parent(), attempt.id().text());
    boolean pending = own(attempt, HdfsRoot.find(files, temporary)) != null;
    return pending ? Sighting.PENDING : Sighting.GONE;
  }

  void abort(DistributedFileSystem files, Attempt attempt) throws IOException, BackingException {
    files.delete(temporary(attempt.plan().target().parent(), attempt.id().text()), false);
    writers.forget(attempt.id());
  }

  List<Leftover> leftovers(DistributedFileSystem files, BackingPath directory)
      throws IOException, BackingException {
    List<Leftover> found = new ArrayList<>();
    RemoteIterator<FileStatus> names = files.listStatusIterator(root.path(directory));
    while (names.hasNext() && found.size() < BackingStore.LEFTOVERS_MAX) {
      FileStatus status = names.next();
      String name = status.getPath().getName();
      if (!name.startsWith(BackingPath.RESERVED_PREFIX) || !status.isFile()) continue;
      found.add(
          new Leftover(
              directory,
              name.substring(BackingPath.RESERVED_PREFIX.length()),
              HdfsRoot.identity((HdfsFileStatus) status),
              TimeUnit.MILLISECONDS.toNanos(status.getModificationTime())));
    }
    return found;
  }

  void remove(DistributedFileSystem files, Leftover leftover) throws IOException, BackingException {
    files.delete(temporary(leftover.place(), leftover.id()), false);
  }

  List<String> setAttributes(DistributedFileSystem files, Path path, FileAttributes wanted)
      throws IOException {
    int mode = wanted.mode() == FileAttributes.UNKNOWN ? MODE_DEFAULT : wanted.mode();
    files.setPermission(path, new FsPermission((short) (mode & FileAttributes.MODE_MASK)));
    if (wanted.modifyNanos() != FileAttributes.UNKNOWN) {
      files.setTimes(path, TimeUnit.NANOSECONDS.toMillis(wanted.modifyNanos()), -1);
    }
    List<String> notKept = new ArrayList<>();
    // HDFS knows users by name only, and only its superuser may give files away.
    if (wanted.user() != FileAttributes.UNKNOWN) notKept.add("user " + wanted.user());
    if (wanted.group() != FileAttributes.UNKNOWN) notKept.add("group " + wanted.group());
    return notKept;
  }

  void close() {
    writers.close();
  }

  /** Opens a writer where the last one ended. */
  private void open(DistributedFileSystem files, Attempt attempt, Writer writer)
      throws IOException, BackingException {
    Path path = temporary(attempt.plan().target().parent(), attempt.id().text());
    if (own(attempt, HdfsRoot.find(files, path)) == null) {
      throw new FileNotFoundException(path.toString());
    }
    takeOver(files, path);
    // Each block is forced as it is finished, so that a force at the end has done all.
    writer.open(
        files.append(
            path, EnumSet.of(CreateFlag.APPEND, CreateFlag.SYNC_BLOCK), BUFFER_BYTES, null));
  }

  /** Shuts out a writer that died, or that others take for dead: HDFS refuses it from then on. */
  private void takeOver(DistributedFileSystem files, Path path)
      throws IOException, BackingException {
    if (files.isFileClosed(path)) return;
    try {
      for (int i = 0; i < RECOVERY_LOOKS_MAX; i++) {
        if (files.recoverLease(path)) return;
        Thread.sleep(RECOVERY_PAUSE_MILLIS);
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
    throw new BackingException(
        new BackingFailure.Unavailable(
            "HDFS has not yet taken '%s' from its former writer".formatted(path)));
  }

  /** The status if it is that of this attempt's file, else null. */
  private static @Nullable HdfsFileStatus own(Attempt attempt, @Nullable HdfsFileStatus status) {
    if (status == null || status.isDirectory()) return null;
    return !attempt.isTold() || HdfsRoot.identity(status).equals(attempt.handle()) ? status : null;
  }

  private Path temporary(BackingPath directory, String id) throws BackingException {
    return root.path(directory, BackingPath.RESERVED_PREFIX + id);
  }

  private BackingException changed(BackingPath name, String words) {
    return new BackingException(
        new BackingFailure.Changed(
            "'%s' was not stored in %s: %s; it is written again"
                .formatted(name, root.settings.description(), words)));
  }
}
