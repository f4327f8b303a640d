// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.passthrough;

import io.forebay.mount.CacheMode;
import io.forebay.mount.fuse.operation.AttributeSetting;
import io.forebay.mount.fuse.operation.Caller;
import io.forebay.mount.fuse.operation.CreateReply;
import io.forebay.mount.fuse.operation.DirectoryPage;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.mount.fuse.operation.FuseOperations;
import io.forebay.mount.fuse.operation.NodeAttributes;
import io.forebay.mount.fuse.operation.NodeEntry;
import io.forebay.mount.fuse.operation.OpenReply;
import io.forebay.mount.fuse.operation.RequestBytes;
import io.forebay.mount.fuse.operation.Space;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of another directory, with the least that benchmarks need: a node is identified by its
 * last known path, and its number is the one it has there. All operations run as the user of this
 * process. Any thread.
 */
final class PassThroughOperations implements FuseOperations {
  private static final int ACCESS_MODE = 3;
  private static final int WRITE_ONLY = 1;
  private static final int TRUNCATE = 01000;
  private static final int EXCLUSIVE = 0200;
  private static final int NAME_BYTES_MAX = 255;
  private static final int PERMISSIONS = 07777;

  private final Path source;
  private final CacheMode cache;
  private final Map<Long, Path> paths = new ConcurrentHashMap<>();
  private final Map<Long, FileChannel> open = new ConcurrentHashMap<>();
  private final Map<Long, List<Path>> listings = new ConcurrentHashMap<>();
  private final AtomicLong lastHandle = new AtomicLong();

  PassThroughOperations(Path source, CacheMode cache) {
    this.source = source;
    this.cache = cache;
    paths.put(ROOT, source);
  }

  @Override
  public int errnoOf(Throwable failure) {
    return switch (failure) {
      case NoSuchFileException e -> Errno.ENOENT;
      case FileAlreadyExistsException e -> Errno.EEXIST;
      case DirectoryNotEmptyException e -> Errno.ENOTEMPTY;
      case NotDirectoryException e -> Errno.ENOTDIR;
      case AccessDeniedException e -> Errno.EACCES;
      default -> Errno.EIO;
    };
  }

  @Override
  public void admit() {
    // Always.
  }

  private Path path(long node) throws ErrnoException {
    Path path = paths.get(node);
    if (path == null) throw new ErrnoException(Errno.ESTALE);
    return path;
  }

  private Path child(long directory, String name) throws ErrnoException {
    return path(directory).resolve(name);
  }

  private NodeAttributes attributes(Path path) throws IOException {
    Map<String, Object> all = Files.readAttributes(path, "unix:*", LinkOption.NOFOLLOW_LINKS);
    long node = path.equals(source) ? ROOT : number(all, "ino");
    paths.put(node, path);
    return new NodeAttributes(
        node,
        (int) number(all, "mode"),
        (int) number(all, "nlink"),
        (int) number(all, "uid"),
        (int) number(all, "gid"),
        number(all, "size"),
        number(all, "size"),
        time(all, "lastAccessTime"),
        time(all, "lastModifiedTime"),
        time(all, "ctime"),
        number(all, "rdev"));
  }

  private static long number(Map<String, Object> all, String name) {
    return all.get(name) instanceof Number number ? number.longValue() : 0;
  }

  private static Instant time(Map<String, Object> all, String name) {
    return all.get(name) instanceof FileTime time ? time.toInstant() : Instant.EPOCH;
  }

  private NodeEntry entry(Path path) throws IOException {
    return new NodeEntry(attributes(path), attributeSeconds(), attributeSeconds());
  }

  @Override
  public NodeEntry lookup(Caller who, long directory, String name) throws IOException {
    return entry(child(directory, name));
  }

  @Override
  public void forget(long node) {
    if (node != ROOT) paths.remove(node);
  }

  @Override
  public double attributeSeconds() {
    return cache == CacheMode.NONE ? 0 : 1;
  }

  @Override
  public NodeAttributes attributes(Caller who, long node, long handle) throws IOException {
    FileChannel channel = open.get(handle);
    Path path = path(node);
    if (channel == null || Files.exists(path, LinkOption.NOFOLLOW_LINKS)) return attributes(path);
    Instant now = Instant.now();
    long size = channel.size();
    int mode = NodeAttributes.FILE | 0600;
    return new NodeAttributes(node, mode, 0, who.user(), who.group(), size, size, now, now, now, 0);
  }

  @Override
  public NodeAttributes setAttributes(Caller who, long node, long handle, AttributeSetting what)
      throws IOException {
    Long size = what.sizeBytes();
    if (size != null) resize(path(node), open.get(handle), size);
    Path path = path(node);
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) return attributes(who, node, handle);
    set(path, "unix:mode", what.mode() == null ? null : what.mode() & PERMISSIONS);
    set(path, "unix:uid", what.user());
    set(path, "unix:gid", what.group());
    set(path, "unix:lastAccessTime", fileTime(what.accessTime()));
    set(path, "unix:lastModifiedTime", fileTime(what.modifyTime()));
    return attributes(path);
  }

  private static void resize(Path path, @Nullable FileChannel opened, long size)
      throws IOException {
    if (opened != null) {
      resize(opened, size);
      return;
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      resize(channel, size);
    }
  }

  private static void resize(FileChannel channel, long size) throws IOException {
    channel.truncate(size);
    // A channel cannot grow otherwise.
    if (channel.size() < size) channel.write(ByteBuffer.allocate(1), size - 1);
  }

  private static void set(Path path, String attribute, @Nullable Object value) throws IOException {
    if (value != null) Files.setAttribute(path, attribute, value, LinkOption.NOFOLLOW_LINKS);
  }

  private static @Nullable FileTime fileTime(AttributeSetting.@Nullable Time time) {
    if (time == null) return null;
    Instant given = time.instant();
    return FileTime.from(given == null ? Instant.now() : given);
  }

  @Override
  public String readLink(Caller who, long node) throws IOException {
    return Files.readSymbolicLink(path(node)).toString();
  }

  @Override
  public NodeEntry makeNode(Caller who, long directory, String name, int mode, long device)
      throws IOException {
    int kind = mode & NodeAttributes.KIND;
    if (kind != NodeAttributes.FILE && kind != 0) throw new ErrnoException(Errno.EPERM);
    return entry(Files.createFile(child(directory, name)));
  }

  @Override
  public NodeEntry makeDirectory(Caller who, long directory, String name, int mode)
      throws IOException {
    return entry(Files.createDirectory(child(directory, name)));
  }

  @Override
  public NodeEntry makeSymlink(Caller who, long directory, String name, String target)
      throws IOException {
    return entry(Files.createSymbolicLink(child(directory, name), Path.of(target)));
  }

  @Override
  public NodeEntry makeLink(Caller who, long node, long directory, String name) throws IOException {
    return entry(Files.createLink(child(directory, name), path(node)));
  }

  @Override
  public void unlink(Caller who, long directory, String name) throws IOException {
    Files.delete(child(directory, name));
  }

  @Override
  public void removeDirectory(Caller who, long directory, String name) throws IOException {
    Files.delete(child(directory, name));
  }

  @Override
  public void rename(
      Caller who, long directory, String name, long newDirectory, String newName, int flags)
      throws IOException {
    if (flags != 0) throw new ErrnoException(Errno.EINVAL);
    Path from = child(directory, name);
    Path to = child(newDirectory, newName);
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    paths.replaceAll(
        (node, path) -> path.startsWith(from) ? to.resolve(from.relativize(path)) : path);
  }

  @Override
  public OpenReply open(Caller who, long node, int flags) throws IOException {
    return opened(path(node), options(flags));
  }

  private Set<OpenOption> options(int flags) {
    Set<OpenOption> options = new HashSet<>();
    int mode = flags & ACCESS_MODE;
    // A kernel that keeps writes back reads the rest of pages.
    if (mode != WRITE_ONLY || cache == CacheMode.WRITEBACK) options.add(StandardOpenOption.READ);
    if (mode != 0) options.add(StandardOpenOption.WRITE);
    if (mode != 0 && (flags & TRUNCATE) != 0) options.add(StandardOpenOption.TRUNCATE_EXISTING);
    return options;
  }

  private OpenReply opened(Path path, Set<OpenOption> options) throws IOException {
    long handle = lastHandle.incrementAndGet();
    open.put(handle, FileChannel.open(path, options));
    return new OpenReply(handle, cache == CacheMode.NONE, true);
  }

  @Override
  public CreateReply create(Caller who, long directory, String name, int mode, int flags)
      throws IOException {
    Set<OpenOption> options = options(flags);
    options.add(StandardOpenOption.WRITE);
    boolean exclusive = (flags & EXCLUSIVE) != 0;
    options.add(exclusive ? StandardOpenOption.CREATE_NEW : StandardOpenOption.CREATE);
    Path path = child(directory, name);
    OpenReply reply = opened(path, options);
    set(path, "unix:mode", mode & PERMISSIONS);
    return new CreateReply(entry(path), reply);
  }

  private FileChannel channel(long handle) throws ErrnoException {
    FileChannel channel = open.get(handle);
    if (channel == null) throw new ErrnoException(Errno.EBADF);
    return channel;
  }

  @Override
  public int read(long node, long handle, ByteBuffer target, long offset) throws IOException {
    FileChannel channel = channel(handle);
    long at = offset;
    while (target.hasRemaining()) {
      int count = channel.read(target, at);
      if (count < 0) break;
      at += count;
    }
    return (int) (at - offset);
  }

  @Override
  public void write(long node, long handle, RequestBytes bytes, long offset) throws IOException {
    FileChannel channel = channel(handle);
    ByteBuffer left = bytes.bytes();
    long at = offset;
    while (left.hasRemaining()) at += channel.write(left, at);
  }

  @Override
  public void flush(long node, long handle) {
    // Written bytes are in the other file system already.
  }

  @Override
  public void sync(long node, long handle) throws IOException {
    channel(handle).force(true);
  }

  @Override
  public void release(long node, long handle) throws IOException {
    FileChannel channel = open.remove(handle);
    if (channel != null) channel.close();
  }

  @Override
  public void allocate(long node, long handle, int mode, long offset, long lengthBytes)
      throws IOException {
    throw new ErrnoException(Errno.EOPNOTSUPP);
  }

  @Override
  public long seek(long node, long handle, long offset, int whence) throws IOException {
    throw new ErrnoException(Errno.ENOSYS);
  }

  @Override
  public long copy(
      long node, long handle, long offset, long toNode, long toHandle, long toOffset, long bytes)
      throws IOException {
    throw new ErrnoException(Errno.ENOSYS);
  }

  @Override
  public long openDirectory(Caller who, long node) throws IOException {
    long handle = lastHandle.incrementAndGet();
    try (Stream<Path> names = Files.list(path(node))) {
      listings.put(handle, names.sorted().toList());
    }
    return handle;
  }

  @Override
  public void readDirectory(Caller who, long node, long handle, long offset, DirectoryPage page)
      throws IOException {
    List<Path> names = listings.getOrDefault(handle, List.of());
    for (long at = offset; at < names.size(); at++) {
      Path path = names.get((int) at);
      // Others may have removed it.
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) continue;
      if (!page.add(String.valueOf(path.getFileName()), entry(path), at + 1)) return;
    }
  }

  @Override
  public void releaseDirectory(long node, long handle) {
    listings.remove(handle);
  }

  @Override
  public void syncDirectory(long node, long handle) {
    // Names of a directory in memory need no more.
  }

  @Override
  public Space space(Caller who) throws IOException {
    FileStore store = Files.getFileStore(source);
    long blockBytes = store.getBlockSize();
    return new Space(
        blockBytes,
        store.getTotalSpace() / blockBytes,
        store.getUsableSpace() / blockBytes,
        0,
        0,
        NAME_BYTES_MAX);
  }

  @Override
  public void access(Caller who, long node, int mask) {
    // The kernel has checked it.
  }

  @Override
  public void setExtra(Caller who, long node, String name, byte[] value, int flags)
      throws IOException {
    throw new ErrnoException(Errno.EOPNOTSUPP);
  }

  @Override
  public byte[] getExtra(Caller who, long node, String name) throws IOException {
    throw new ErrnoException(Errno.ENODATA);
  }

  @Override
  public List<String> listExtras(Caller who, long node) {
    return List.of();
  }

  @Override
  public void removeExtra(Caller who, long node, String name) throws IOException {
    throw new ErrnoException(Errno.ENODATA);
  }
}
