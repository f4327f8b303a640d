// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.hdfs;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.FileAttributes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One directory of HDFS: the mapping of paths to names there, and a client that is created at its
 * first use. Any thread.
 */
final class HdfsRoot {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsRoot.class);

  /** An unavailable name node is reported soon: the caller retries at its own pace. */
  private static final int CONNECT_RETRIES = 2;

  /** The first pause while a file is closed; each doubles the one before. */
  private static final int CLOSE_PAUSE_MILLIS = 10;

  private static final int CLOSE_LOOKS_MAX = 12;

  /** Something asked of HDFS. */
  interface Call<T> {
    T on(DistributedFileSystem files) throws IOException, BackingException;
  }

  final HdfsSettings settings;
  private final HdfsFailures failures;
  // Guarded by this.
  private @Nullable DistributedFileSystem files;
  private boolean closed;

  HdfsRoot(HdfsSettings settings) {
    this.settings = settings;
    this.failures = new HdfsFailures(settings);
  }

  Path path(BackingPath path) throws BackingException {
    if (path.text().contains(":")) {
      throw new BackingException(
          new BackingFailure.Unsupported(
              "'%s' cannot be stored in HDFS, whose names have no colons; rename it"
                  .formatted(path)));
    }
    String text = path.isRoot() ? settings.root() : settings.root() + "/" + path.text();
    return new Path(text.isEmpty() ? "/" : text);
  }

  /** A name beside others in a directory that is no path of the store. */
  Path path(BackingPath directory, String name) throws BackingException {
    return new Path((directory.isRoot() ? settings.root() : path(directory)) + "/" + name);
  }

  /**
   * Asks, and turns what goes wrong into a failure.
   *
   * @param doing such as {@code "reading"}
   */
  <T> T call(String doing, BackingPath path, Call<T> call) throws BackingException {
    String what = "%s '%s'".formatted(doing, path);
    try {
      return call.on(files());
    } catch (IOException failure) {
      throw failures.of(failure, what);
    }
  }

  /** Checks that the root exists: creating directories below it would create it too. */
  void requireRoot(DistributedFileSystem client) throws IOException, BackingException {
    HdfsFileStatus root = find(client, path(BackingPath.ROOT));
    if (root != null && root.isDirectory()) return;
    throw new BackingException(
        new BackingFailure.NoRoot(
            "%s cannot be used: %s"
                .formatted(
                    settings.description(),
                    root == null ? "it is not there; make it" : "it is not a directory")));
  }

  /** The node of that name, or null. */
  static @Nullable HdfsFileStatus find(DistributedFileSystem client, Path path) throws IOException {
    try {
      return (HdfsFileStatus) client.getFileStatus(path);
    } catch (FileNotFoundException missing) {
      return null;
    }
  }

  static String identity(HdfsFileStatus status) {
    return Long.toString(status.getFileId());
  }

  static BackingFile stored(HdfsFileStatus status) {
    long modifyNanos = TimeUnit.MILLISECONDS.toNanos(status.getModificationTime());
    FileAttributes attributes =
        new FileAttributes(
            status.getPermission().toShort() & FileAttributes.MODE_MASK,
            FileAttributes.UNKNOWN,
            FileAttributes.UNKNOWN,
            modifyNanos);
    return new BackingFile(
        status.isDirectory() ? BackingFile.Kind.DIRECTORY : BackingFile.Kind.FILE,
        status.getLen(),
        attributes,
        1,
        identity(status),
        "%s.%d.%d".formatted(identity(status), status.getLen(), modifyNanos));
  }

  static BackingFile stored(FileStatus status) {
    return stored((HdfsFileStatus) status);
  }

  synchronized void close() {
    closed = true;
    DistributedFileSystem present = files;
    files = null;
    if (present == null) return;
    try {
      present.close();
    } catch (IOException failure) {
      // Everything that had to be durable was forced before, so closing has nothing left to lose.
      LOG.warn("{}: closing failed", settings.description(), failure);
    }
  }

  private synchronized DistributedFileSystem files() throws IOException {
    if (closed) throw new IllegalStateException(settings.description() + ": closed");
    DistributedFileSystem present = files;
    if (present == null) {
      present = connect();
      files = present;
    }
    return present;
  }

  private DistributedFileSystem connect() throws IOException {
    Configuration configuration = new Configuration();
    // Small files would wait most of the time until the name node knows their only block.
    configuration.setInt(
        "dfs.client.block.write.locateFollowingBlock.initial.delay.ms", CLOSE_PAUSE_MILLIS);
    configuration.setInt("dfs.client.block.write.locateFollowingBlock.retries", CLOSE_LOOKS_MAX);
    configuration.setInt("ipc.client.connect.max.retries", CONNECT_RETRIES);
    configuration.setInt("ipc.client.connect.max.retries.on.timeouts", CONNECT_RETRIES);
    String folder =
        settings.config() == null ? System.getenv("HADOOP_CONF_DIR") : settings.config().toString();
    if (folder != null) {
      configuration.addResource(new Path(folder, "core-site.xml"));
      configuration.addResource(new Path(folder, "hdfs-site.xml"));
    }
    try {
      FileSystem opened =
          settings.user() == null
              ? FileSystem.newInstance(settings.nameNode(), configuration)
              : FileSystem.newInstance(settings.nameNode(), configuration, settings.user());
      return (DistributedFileSystem) opened;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupt);
    }
  }
}
