// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.hdfs;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Leftover;
import io.forebay.backing.Listing;
import io.forebay.backing.Sighting;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * A directory of HDFS as a backing store. An attempt is a file {@code .forebay-ID} beside the final
 * name, to which one process at a time appends; HDFS verifies the transfer with checksums of its
 * own. Any thread.
 */
public final class HdfsStore implements BackingStore {
  private static final int CHUNK_BYTES = 256 << 10;

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          false,
          false,
          1,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          false,
          true,
          true,
          false,
          true,
          // Appends need not be aligned.
          1 << 20,
          Capabilities.Verification.ON_WRITE);

  private final HdfsRoot root;
  private final HdfsAttempts attempts;

  HdfsStore(HdfsSettings settings) {
    this.root = new HdfsRoot(settings);
    this.attempts = new HdfsAttempts(root);
  }

  @Override
  public String description() {
    return root.settings.description();
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public void check() throws BackingException {
    run("using", BackingPath.ROOT, root::requireRoot);
  }

  @Override
  public Attempt begin(AttemptPlan plan) throws BackingException {
    return root.call("beginning to write", plan.target(), files -> attempts.begin(files, plan));
  }

  @Override
  public void write(Attempt attempt, long offset, List<ByteBuffer> source) throws BackingException {
    run(
        "writing",
        attempt.plan().target(),
        files -> attempts.write(files, attempt, offset, source));
  }

  @Override
  public void force(Attempt attempt) throws BackingException {
    run("forcing", attempt.plan().target(), files -> attempts.force(attempt));
  }

  @Override
  public void release(Attempt attempt) {
    attempts.release(attempt);
  }

  @Override
  public List<String> commit(Attempt attempt, BackingPath name) throws BackingException {
    return root.call("storing", name, files -> attempts.commit(files, attempt, name));
  }

  @Override
  public Sighting look(Attempt attempt, BackingPath name) throws BackingException {
    return root.call("looking for", name, files -> attempts.look(files, attempt, name));
  }

  @Override
  public void abort(Attempt attempt) throws BackingException {
    run(
        "removing the temporary file of",
        attempt.plan().target(),
        files -> attempts.abort(files, attempt));
  }

  @Override
  public List<Leftover> leftovers(BackingPath directory) throws BackingException {
    return root.call("listing", directory, files -> attempts.leftovers(files, directory));
  }

  @Override
  public void remove(Leftover leftover) throws BackingException {
    run(
        "removing a temporary file in",
        leftover.place(),
        files -> attempts.remove(files, leftover));
  }

  @Override
  public BackingFile stat(BackingPath path) throws BackingException {
    return root.call("looking at", path, files -> HdfsRoot.stored(status(files, path)));
  }

  @Override
  public int read(BackingPath path, String version, long offset, ByteBuffer target)
      throws BackingException {
    return root.call(
        "reading",
        path,
        files -> {
          ByteBuffer rest = target.duplicate();
          try (FSDataInputStream in = files.open(root.path(path))) {
            fill(in, offset, rest);
          }
          // Check afterwards: the file of this name is the one that was opened, unless it changed
          // meanwhile.
          requireVersion(path, version, status(files, path));
          int bytes = rest.position() - target.position();
          target.position(rest.position());
          return bytes;
        });
  }

  @Override
  public Listing list(BackingPath directory) throws BackingException {
    return root.call(
        "listing",
        directory,
        files -> {
          if (!status(files, directory).isDirectory()) {
            throw new PathIsNotDirectoryException(directory.toString());
          }
          return new HdfsListing(root, directory, files.listStatusIterator(root.path(directory)));
        });
  }

  @Override
  public void makeDirectory(BackingPath path, FileAttributes attributes) throws BackingException {
    run(
        "making directory",
        path,
        files -> {
          root.requireRoot(files);
          if (path.isRoot()) return;
          files.mkdirs(root.path(path));
          if (!attributes.equals(FileAttributes.NONE)) {
            attempts.setAttributes(files, root.path(path), attributes);
          }
        });
  }

  @Override
  public void removeDirectory(BackingPath path) throws BackingException {
    run(
        "removing directory",
        path,
        files -> {
          if (!status(files, path).isDirectory()) {
            throw new PathIsNotDirectoryException(path.toString());
          }
          delete(files, path);
        });
  }

  @Override
  public void delete(BackingPath path, String version) throws BackingException {
    run(
        "deleting",
        path,
        files -> {
          HdfsFileStatus status = status(files, path);
          if (status.isDirectory()) throw new IOException(path + " is a directory");
          requireVersion(path, version, status);
          delete(files, path);
        });
  }

  @Override
  public void rename(BackingPath from, BackingPath to) throws BackingException {
    run(
        "renaming",
        from,
        files -> {
          if (from.isRoot() || to.isRoot()) throw new IOException("the root cannot be renamed");
          status(files, from);
          files.mkdirs(root.path(to.parent()));
          files.rename(root.path(from), root.path(to), Options.Rename.OVERWRITE);
        });
  }

  @Override
  public void makeSymlink(BackingPath path, String target) throws BackingException {
    throw noLinks(path);
  }

  @Override
  public String readSymlink(BackingPath path) throws BackingException {
    throw noLinks(path);
  }

  @Override
  public void close() {
    attempts.close();
    root.close();
  }

  /** Something done to files. */
  private interface Work {
    void run(DistributedFileSystem files) throws IOException, BackingException;
  }

  private void run(String doing, BackingPath path, Work work) throws BackingException {
    root.call(
        doing,
        path,
        files -> {
          work.run(files);
          return true;
        });
  }

  private HdfsFileStatus status(DistributedFileSystem files, BackingPath path)
      throws IOException, BackingException {
    HdfsFileStatus status = HdfsRoot.find(files, root.path(path));
    if (status != null) return status;
    root.requireRoot(files);
    throw new FileNotFoundException(path.toString());
  }

  private void delete(DistributedFileSystem files, BackingPath path)
      throws IOException, BackingException {
    Path place = root.path(path);
    if (path.isRoot()) throw new IOException("the root cannot be deleted");
    if (!files.delete(place, false)) throw new FileNotFoundException(place.toString());
  }

  private void requireVersion(BackingPath path, String version, HdfsFileStatus status)
      throws BackingException {
    if (version.isEmpty() || version.equals(HdfsRoot.stored(status).version())) return;
    throw new BackingException(
        new BackingFailure.Changed(
            "'%s' in %s has been changed by another program".formatted(path, description())));
  }

  private static void fill(FSDataInputStream in, long offset, ByteBuffer target)
      throws IOException {
    byte[] chunk = new byte[Math.min(CHUNK_BYTES, target.remaining())];
    long next = offset;
    while (target.hasRemaining()) {
      int bytes = in.read(next, chunk, 0, Math.min(chunk.length, target.remaining()));
      if (bytes < 0) return;
      target.put(chunk, 0, bytes);
      next += bytes;
    }
  }

  private BackingException noLinks(BackingPath path) {
    return new BackingException(
        new BackingFailure.Unsupported(
            "'%s' cannot be a symbolic link: HDFS has none".formatted(path)));
  }
}
