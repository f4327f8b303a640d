package io.forebay.mount;

import io.forebay.client.AttributeChange;
import io.forebay.client.DirectoryEntry;
import io.forebay.client.FileStat;
import io.forebay.client.ForebayFile;
import io.forebay.client.Nodes;
import io.forebay.client.Usage;
import io.forebay.mount.fuse.AttributeSetting;
import io.forebay.mount.fuse.Caller;
import io.forebay.mount.fuse.CreateReply;
import io.forebay.mount.fuse.DirectoryPage;
import io.forebay.mount.fuse.Errno;
import io.forebay.mount.fuse.ErrnoException;
import io.forebay.mount.fuse.FuseOperations;
import io.forebay.mount.fuse.NodeAttributes;
import io.forebay.mount.fuse.NodeEntry;
import io.forebay.mount.fuse.OpenReply;
import io.forebay.mount.fuse.RequestBytes;
import io.forebay.mount.fuse.Space;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** An instance's files and names as the kernel asks for them. Any thread. */
final class InstanceOperations implements FuseOperations {
  private static final int ACCESS_MODE = 3;
  private static final int WRITE_ONLY = 1;
  private static final int TRUNCATE = 01000;
  private static final int EXCLUSIVE = 0200;
  private static final int DATA_SYNC = 010000;

  private static final int RENAME_NOREPLACE = 1;
  private static final int RENAME_EXCHANGE = 2;

  private static final int XATTR_CREATE = 1;
  private static final int XATTR_REPLACE = 2;

  private static final int FALLOC_KEEP_SIZE = 1;
  private static final int FALLOC_PUNCH_HOLE = 2;
  private static final int FALLOC_ZERO_RANGE = 16;

  private static final int SEEK_DATA = 3;

  private static final int BLOCK_BYTES = 4096;

  /** What df shows as free where an instance may have as much as there is. */
  private static final long UNLIMITED_BYTES = 1L << 50;

  private static final long NODES_FREE = 1L << 32;

  /** Names of extra attributes that programs may choose; all others mean something to kernels. */
  private static final String EXTRA_PREFIX = "user.";

  private static final String EXTRA_SECURITY = "security.";

  /** An extra attribute of the root, which tells which process serves the mount. */
  static final String EXTRA_PROCESS = "user.forebay.mount.process";

  private static final long ROOT_OFFSETS = 2;

  private final Nodes nodes;
  private final long root;
  private final MountSettings settings;
  private final Callers callers;
  private final Presence presence;
  private final OpenFiles files = new OpenFiles();
  private final Directories directories = new Directories();

  /** As of when the page cache holds what it holds of a file. */
  private final Map<Long, Long> cachedVersions = new ConcurrentHashMap<>();

  private volatile LongConsumer invalidate = node -> {};

  /**
   * Serves a tree.
   *
   * @param root the number of the directory that becomes the mount's root
   */
  InstanceOperations(Nodes nodes, long root, MountSettings settings, String cluster) {
    this.nodes = nodes;
    this.root = root;
    this.settings = settings;
    this.presence = new Presence(nodes::usage, cluster);
    this.callers = new Callers(settings.user(), settings.group(), System::nanoTime);
  }

  /** Who lets the kernel forget a node's attributes. */
  void invalidateWith(LongConsumer action) {
    invalidate = action;
  }

  OpenFiles files() {
    return files;
  }

  Presence presence() {
    return presence;
  }

  @Override
  public void admit() throws ErrnoException {
    presence.require();
  }

  @Override
  public int errnoOf(Throwable failure) {
    presence.failed(failure);
    return ErrorNumbers.of(failure);
  }

  // Numbers: the kernel's root is 1, ours has its tree's number in it.

  private long ours(long node) {
    return node == ROOT ? root : node;
  }

  private long kernels(long number) {
    return number == root ? ROOT : number;
  }

  private Nodes as(Caller who) {
    return nodes.as(callers.identity(who));
  }

  private NodeAttributes told(FileStat stat) {
    int kind =
        switch (stat.kind()) {
          case FILE -> NodeAttributes.FILE;
          case DIRECTORY -> NodeAttributes.DIRECTORY;
          case SYMLINK -> NodeAttributes.SYMLINK;
        };
    return new NodeAttributes(
        kernels(stat.number()),
        kind | stat.mode(),
        stat.links(),
        stat.user(),
        stat.group(),
        stat.sizeBytes(),
        stat.allocatedBytes(),
        stat.accessTime(),
        stat.modifyTime(),
        stat.changeTime());
  }

  private NodeEntry entry(FileStat stat) {
    double seconds = settings.cache().seconds();
    return new NodeEntry(told(stat), seconds, seconds);
  }

  // Names.

  @Override
  public NodeEntry lookup(Caller who, long directory, String name) throws IOException {
    return entry(as(who).lookup(ours(directory), name));
  }

  @Override
  public void forget(long node) {
    cachedVersions.remove(ours(node));
  }

  @Override
  public double attributeSeconds() {
    return settings.cache().seconds();
  }

  @Override
  public NodeAttributes attributes(Caller who, long node, long handle) throws IOException {
    return told(as(who).stat(ours(node)));
  }

  @Override
  public NodeAttributes setAttributes(Caller who, long node, long handle, AttributeSetting what)
      throws IOException {
    AttributeChange change = new AttributeChange().noFollow();
    Integer mode = what.mode();
    if (mode != null) change.mode(mode & FileStat.MODE_BITS);
    if (what.user() != null || what.group() != null) {
      change.owner(orUnchanged(what.user()), orUnchanged(what.group()));
    }
    Long size = what.sizeBytes();
    if (size != null) change.sizeBytes(size);
    times(change, what);
    // Who has it open for writing may truncate it, whatever its mode is by now.
    if (size != null && handle != 0) {
      return told(files.get(handle).node().writable().set(change));
    }
    boolean kernelsTimes = settings.cache() == CacheMode.WRITEBACK && handle != 0 && mode == null;
    // Times that the kernel kept are those of writes that were allowed.
    Nodes as = kernelsTimes ? nodes.as(Identity.root()) : as(who);
    return told(as.set(ours(node), change));
  }

  private static int orUnchanged(@Nullable Integer value) {
    return value == null ? (int) Names.UNCHANGED : value;
  }

  private static void times(AttributeChange change, AttributeSetting what) {
    AttributeSetting.Time access = what.accessTime();
    AttributeSetting.Time modify = what.modifyTime();
    change.times(
        access == null ? null : access.instant(), modify == null ? null : modify.instant());
    if (access != null && access.instant() == null) change.touchAccess();
    if (modify != null && modify.instant() == null) change.touch();
  }

  @Override
  public String readLink(Caller who, long node) throws IOException {
    return as(who).readlink(ours(node));
  }

  @Override
  public NodeEntry makeNode(Caller who, long directory, String name, int mode) throws IOException {
    int kind = mode & NodeAttributes.KIND;
    if (kind != NodeAttributes.FILE && kind != 0) throw new ErrnoException(Errno.EPERM);
    List<OpenOption> made = List.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    try (ForebayFile file =
        as(who).create(ours(directory), name, made, mode & FileStat.MODE_BITS)) {
      return entry(file.openedStat());
    }
  }

  @Override
  public NodeEntry makeDirectory(Caller who, long directory, String name, int mode)
      throws IOException {
    return entry(as(who).mkdir(ours(directory), name, mode & FileStat.MODE_BITS));
  }

  @Override
  public NodeEntry makeSymlink(Caller who, long directory, String name, String target)
      throws IOException {
    return entry(as(who).symlink(target, ours(directory), name));
  }

  @Override
  public NodeEntry makeLink(Caller who, long node, long directory, String name) throws IOException {
    return entry(as(who).link(ours(node), ours(directory), name));
  }

  @Override
  public void unlink(Caller who, long directory, String name) throws IOException {
    as(who).unlink(ours(directory), name);
  }

  @Override
  public void removeDirectory(Caller who, long directory, String name) throws IOException {
    as(who).rmdir(ours(directory), name);
  }

  @Override
  public void rename(
      Caller who, long directory, String name, long newDirectory, String newName, int flags)
      throws IOException {
    if ((flags & ~(RENAME_NOREPLACE | RENAME_EXCHANGE)) != 0) {
      throw new ErrnoException(Errno.EINVAL);
    }
    as(who)
        .rename(
            ours(directory),
            name,
            ours(newDirectory),
            newName,
            (flags & RENAME_NOREPLACE) != 0,
            (flags & RENAME_EXCHANGE) != 0);
  }

  // Files.

  @Override
  public OpenReply open(Caller who, long node, int flags) throws IOException {
    return opened(openNode(who, ours(node), flags), flags);
  }

  private ForebayFile openNode(Caller who, long number, int flags) throws IOException {
    List<OpenOption> options = options(flags);
    if ((flags & TRUNCATE) != 0 && (flags & ACCESS_MODE) == 0) {
      as(who).set(number, new AttributeChange().noFollow().sizeBytes(0));
    }
    try {
      return as(who).open(number, options);
    } catch (AccessDeniedException e) {
      if (!readsForKernel(flags)) throw e;
      List<OpenOption> less = new ArrayList<>(options);
      less.remove(StandardOpenOption.READ);
      return as(who).open(number, less);
    }
  }

  /** A kernel that keeps writes back reads the rest of pages, also for who may only write. */
  private boolean readsForKernel(int flags) {
    return settings.cache() == CacheMode.WRITEBACK && (flags & ACCESS_MODE) == WRITE_ONLY;
  }

  private List<OpenOption> options(int flags) {
    List<OpenOption> options = new ArrayList<>();
    int mode = flags & ACCESS_MODE;
    if (mode != WRITE_ONLY || readsForKernel(flags)) options.add(StandardOpenOption.READ);
    if (mode != 0) options.add(StandardOpenOption.WRITE);
    if (mode != 0 && (flags & TRUNCATE) != 0) options.add(StandardOpenOption.TRUNCATE_EXISTING);
    return options;
  }

  private OpenReply opened(ForebayFile file, int flags) {
    FileStat stat = file.openedStat();
    long handle =
        files.add(
            file,
            (flags & ACCESS_MODE) != WRITE_ONLY,
            (flags & ACCESS_MODE) != 0,
            (flags & DATA_SYNC) != 0);
    boolean direct = settings.cache() == CacheMode.NONE;
    if (direct) return new OpenReply(handle, true, false);
    Long before = cachedVersions.put(stat.number(), stat.version());
    boolean same = before != null && before == stat.version();
    // Close to open: what others have published by now must be seen.
    if (before != null && !same) invalidate.accept(kernels(stat.number()));
    return new OpenReply(handle, false, same);
  }

  @Override
  public CreateReply create(Caller who, long directory, String name, int mode, int flags)
      throws IOException {
    List<OpenOption> options = options(flags);
    boolean exclusive = (flags & EXCLUSIVE) != 0;
    options.add(exclusive ? StandardOpenOption.CREATE_NEW : StandardOpenOption.CREATE);
    if (!options.contains(StandardOpenOption.WRITE)) options.add(StandardOpenOption.WRITE);
    ForebayFile file = as(who).create(ours(directory), name, options, mode & FileStat.MODE_BITS);
    NodeEntry entry = entry(file.openedStat());
    return new CreateReply(entry, opened(file, flags));
  }

  @Override
  public int read(long node, long handle, ByteBuffer target, long offset) throws IOException {
    OpenFiles.Handle open = files.get(handle);
    ForebayFile file = open.reads() ? open.file() : readerFor(open);
    return Math.max(0, file.read(target, offset));
  }

  /** Reads for a kernel that fills up the pages of one who may only write. */
  private ForebayFile readerFor(OpenFiles.Handle open) throws IOException {
    if (settings.cache() != CacheMode.WRITEBACK) throw new ErrnoException(Errno.EBADF);
    return open.node()
        .readerOr(
            () ->
                nodes
                    .as(Identity.root())
                    .open(open.node().number(), List.of(StandardOpenOption.READ)));
  }

  @Override
  public void write(long node, long handle, RequestBytes bytes, long offset) throws IOException {
    OpenFiles.Handle open = files.get(handle);
    open.node().write(bytes, offset, open.sync());
  }

  @Override
  public void flush(long node, long handle) throws IOException {
    NodeFile file = files.get(handle).node();
    // Who closes what has not changed is not told that the cluster is gone.
    if (!file.isPublished()) presence.require();
    file.sync();
  }

  @Override
  public void sync(long node, long handle) throws IOException {
    files.get(handle).node().sync();
  }

  @Override
  public void release(long node, long handle) {
    files.release(handle);
  }

  @Override
  public void allocate(long node, long handle, int mode, long offset, long lengthBytes)
      throws IOException {
    ForebayFile file = files.get(handle).node().writable();
    boolean keepsSize = (mode & FALLOC_KEEP_SIZE) != 0;
    switch (mode & ~FALLOC_KEEP_SIZE) {
      case 0 -> file.allocate(offset, lengthBytes, keepsSize);
      case FALLOC_PUNCH_HOLE -> file.punch(offset, lengthBytes);
      case FALLOC_ZERO_RANGE -> file.zero(offset, lengthBytes, keepsSize);
      default -> throw new ErrnoException(Errno.EOPNOTSUPP);
    }
  }

  @Override
  public long seek(long node, long handle, long offset, int whence) throws IOException {
    // Pages that programs have changed in the kernel's cache are not written before it asks this.
    // Without us it says that all is data, which is always true.
    if (settings.cache() != CacheMode.NONE) throw new ErrnoException(Errno.ENOSYS);
    ForebayFile file = files.get(handle).file();
    long found = whence == SEEK_DATA ? file.seekData(offset) : file.seekHole(offset);
    if (found < 0) throw new ErrnoException(Errno.ENXIO);
    return found;
  }

  @Override
  public long copy(
      long node, long handle, long offset, long toNode, long toHandle, long toOffset, long bytes)
      throws IOException {
    OpenFiles.Handle from = files.get(handle);
    NodeFile to = files.get(toHandle).node();
    long count = from.file().copyTo(to.writable(), offset, toOffset, bytes);
    to.written();
    return count;
  }

  // Directories.

  @Override
  public long openDirectory(Caller who, long node) {
    return directories.open();
  }

  @Override
  public void readDirectory(Caller who, long node, long handle, long offset, DirectoryPage page)
      throws IOException {
    if (offset < 1 && !page.add(".", node, NodeAttributes.DIRECTORY, 1)) return;
    if (offset < ROOT_OFFSETS && !page.add("..", ROOT, NodeAttributes.DIRECTORY, ROOT_OFFSETS)) {
      return;
    }
    long behindDots = Math.max(offset, ROOT_OFFSETS) - ROOT_OFFSETS;
    directories.read(
        as(who),
        ours(node),
        handle,
        behindDots,
        page,
        (DirectoryEntry entry, long next) ->
            page.add(entry.name(), entry(entry.stat()), next + ROOT_OFFSETS));
  }

  @Override
  public void releaseDirectory(long node, long handle) {
    directories.release(handle);
  }

  @Override
  public void syncDirectory(long node, long handle) {
    // Every change of a name is kept when it is answered.
  }

  // The rest.

  @Override
  public Space space(Caller who) throws IOException {
    Usage usage = nodes.usage();
    long used = usage.usedBytes() + usage.promisedBytes();
    long total = usage.capacityBytes() > 0 ? usage.capacityBytes() : used + UNLIMITED_BYTES;
    long free = Math.max(0, total - used);
    return new Space(
        BLOCK_BYTES,
        total / BLOCK_BYTES,
        free / BLOCK_BYTES,
        usage.nodes() + NODES_FREE,
        NODES_FREE,
        Names.NAME_BYTES_MAX);
  }

  @Override
  public void access(Caller who, long node, int mask) throws IOException {
    as(who).access(ours(node), mask);
  }

  @Override
  public void setExtra(Caller who, long node, String name, byte[] value, int flags)
      throws IOException {
    requireExtra(name);
    as(who)
        .setExtra(
            ours(node), name, value, (flags & XATTR_CREATE) != 0, (flags & XATTR_REPLACE) != 0);
  }

  @Override
  public byte[] getExtra(Caller who, long node, String name) throws IOException {
    if (node == ROOT && name.equals(EXTRA_PROCESS)) {
      return Long.toString(settings.process()).getBytes(StandardCharsets.US_ASCII);
    }
    if (!settings.extras()) throw new ErrnoException(Errno.ENOSYS);
    // The kernel asks for it at every write.
    if (name.startsWith(EXTRA_SECURITY)) throw new ErrnoException(Errno.ENODATA);
    requireExtra(name);
    presence.require();
    return as(who).getExtra(ours(node), name);
  }

  @Override
  public List<String> listExtras(Caller who, long node) throws IOException {
    if (!settings.extras()) throw new ErrnoException(Errno.ENOSYS);
    return as(who).listExtras(ours(node));
  }

  @Override
  public void removeExtra(Caller who, long node, String name) throws IOException {
    requireExtra(name);
    as(who).removeExtra(ours(node), name);
  }

  private void requireExtra(String name) throws ErrnoException {
    if (!settings.extras()) throw new ErrnoException(Errno.ENOSYS);
    if (!name.startsWith(EXTRA_PREFIX)) throw new ErrnoException(Errno.EOPNOTSUPP);
  }
}
