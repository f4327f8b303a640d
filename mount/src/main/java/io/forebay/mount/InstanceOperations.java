// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.ForebayFile;
import io.forebay.client.Locks;
import io.forebay.client.Nodes;
import io.forebay.client.failure.FileRefusedException;
import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import io.forebay.mount.fuse.operation.AttributeSetting;
import io.forebay.mount.fuse.operation.Caller;
import io.forebay.mount.fuse.operation.CreateReply;
import io.forebay.mount.fuse.operation.DirectoryPage;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.mount.fuse.operation.FuseLocks;
import io.forebay.mount.fuse.operation.FuseOperations;
import io.forebay.mount.fuse.operation.NodeAttributes;
import io.forebay.mount.fuse.operation.NodeEntry;
import io.forebay.mount.fuse.operation.OpenReply;
import io.forebay.mount.fuse.operation.RequestBytes;
import io.forebay.mount.fuse.operation.Space;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The kernel's requests for an instance's files and names. Any thread. */
final class InstanceOperations implements FuseOperations {
  private static final int ACCESS_MODE = 3;
  private static final int WRITE_ONLY = 1;
  private static final int TRUNCATE = 01000;
  private static final int EXCLUSIVE = 0200;
  private static final int DATA_SYNC = 010000;

  private static final int RENAME_NOREPLACE = 1;
  private static final int RENAME_EXCHANGE = 2;

  private static final int FALLOC_KEEP_SIZE = 1;
  private static final int FALLOC_PUNCH_HOLE = 2;
  private static final int FALLOC_ZERO_RANGE = 16;

  private static final int SEEK_DATA = 3;

  private static final long ROOT_OFFSETS = 2;

  private final Nodes nodes;
  private final KernelRights kernel;
  private final KernelView view;
  private final MountSettings settings;
  private final Callers callers;
  private final Presence presence;
  private final ExtraAttributes extras;
  private final OpenFiles files = new OpenFiles();
  private final Directories directories = new Directories();
  private final RemovedNodes removedNodes = new RemovedNodes(directories::isOpen);
  private final AttributeSetter setter;
  private final StaleRetries stale;
  private final SpaceReport spaces;

  /** The version of each file in the page cache. */
  private final Map<Long, Long> cachedVersions = new ConcurrentHashMap<>();

  private volatile LongConsumer invalidate = node -> {};
  private volatile LongConsumer forgetPages = node -> {};
  private final @Nullable MountLocks locks;

  /**
   * Serves a tree.
   *
   * @param root the number of the directory that becomes the mount's root
   */
  InstanceOperations(
      KernelRights kernel,
      long root,
      MountSettings settings,
      Presence presence,
      @Nullable Locks shared) {
    this.nodes = kernel.own();
    this.kernel = kernel;
    this.view = new KernelView(root, settings.cache().seconds());
    this.settings = settings;
    this.presence = presence;
    this.locks = shared == null ? null : new MountLocks(shared, view, new LockedContent());
    this.extras = new ExtraAttributes(settings);
    this.callers = new Callers(settings.user(), settings.group(), System::nanoTime);
    this.setter = new AttributeSetter(kernel, files, settings.cache() == CacheMode.WRITEBACK);
    this.stale = new StaleRetries(kernel);
    this.spaces = new SpaceReport(nodes, System::nanoTime);
  }

  /** Sets the callbacks that invalidate a node's attributes, or its pages too, in the kernel. */
  void invalidateWith(LongConsumer attributes, LongConsumer pages) {
    invalidate = attributes;
    forgetPages = pages;
  }

  @Override
  public @Nullable FuseLocks locks() {
    return locks;
  }

  /** Makes a lock a barrier between mounts, too. */
  private final class LockedContent implements MountLocks.Content {
    @Override
    public void publish(long file) throws IOException {
      NodeFile open = files.find(file);
      if (open != null) open.sync();
    }

    @Override
    public void refresh(long file) throws IOException {
      if (settings.cache() == CacheMode.NONE) return;
      long version = nodes.stat(file).version();
      Long before = cachedVersions.put(file, version);
      if (before == null || before != version) forgetPages.accept(view.kernels(file));
    }
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

  private Nodes as(Caller who) {
    return nodes.as(callers.identity(who));
  }

  private NodeEntry entry(FileStat stat) {
    return view.entry(removedNodes.told(stat));
  }

  // Names.

  @Override
  public NodeEntry lookup(Caller who, long directory, String name) throws IOException {
    return entry(stale.lookup(who.thread(), as(who), view.ours(directory), name));
  }

  @Override
  public void forget(long node) {
    cachedVersions.remove(view.ours(node));
    removedNodes.forget(view.ours(node));
  }

  @Override
  public double attributeSeconds() {
    return settings.cache().seconds();
  }

  @Override
  public NodeAttributes attributes(Caller who, long node, long handle) throws IOException {
    long number = view.ours(node);
    try {
      return view.told(removedNodes.told(stale.noting(who.thread(), () -> as(who).stat(number))));
    } catch (FileRefusedException e) {
      return view.told(removed(number, e));
    }
  }

  @Override
  public NodeAttributes setAttributes(Caller who, long node, long handle, AttributeSetting what)
      throws IOException {
    long number = view.ours(node);
    Identity identity = callers.identity(who);
    try {
      return view.told(
          removedNodes.told(
              stale.noting(who.thread(), () -> setter.set(identity, number, handle, what))));
    } catch (FileRefusedException e) {
      return view.told(removedNodes.set(identity, removed(number, e), what, Instant.now()));
    }
  }

  /** The attributes of a node that is open here and that the servers have removed. */
  private FileStat removed(long number, FileRefusedException refused) throws FileRefusedException {
    boolean gone = refused.code() == ErrorCode.STALE_HANDLE;
    FileStat removed = gone ? removedNodes.removed(number) : null;
    if (removed == null) throw refused;
    return removed;
  }

  @Override
  public String readLink(Caller who, long node) throws IOException {
    return as(who).readlink(view.ours(node));
  }

  @Override
  public NodeEntry makeNode(Caller who, long directory, String name, int mode, long device)
      throws IOException {
    FileStat.Kind special = KernelView.specialKind(mode);
    int rights = mode & FileStat.MODE_BITS;
    if (special != null) {
      return entry(as(who).mknod(view.ours(directory), name, special, rights, device));
    }
    List<OpenOption> made = List.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    try (ForebayFile file = as(who).create(view.ours(directory), name, made, rights)) {
      return view.entry(file.openedStat());
    }
  }

  @Override
  public NodeEntry makeDirectory(Caller who, long directory, String name, int mode)
      throws IOException {
    return entry(as(who).mkdir(view.ours(directory), name, mode & FileStat.MODE_BITS));
  }

  @Override
  public NodeEntry makeSymlink(Caller who, long directory, String name, String target)
      throws IOException {
    return view.entry(as(who).symlink(target, view.ours(directory), name));
  }

  @Override
  public NodeEntry makeLink(Caller who, long node, long directory, String name) throws IOException {
    return entry(as(who).link(view.ours(node), view.ours(directory), name));
  }

  @Override
  public void unlink(Caller who, long directory, String name) throws IOException {
    as(who).unlink(view.ours(directory), name);
  }

  @Override
  public void removeDirectory(Caller who, long directory, String name) throws IOException {
    as(who).rmdir(view.ours(directory), name);
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
            view.ours(directory),
            name,
            view.ours(newDirectory),
            newName,
            (flags & RENAME_NOREPLACE) != 0,
            (flags & RENAME_EXCHANGE) != 0);
  }

  // Files.

  @Override
  public OpenReply open(Caller who, long node, int flags) throws IOException {
    return stale.noting(who.thread(), () -> openNode(who, view.ours(node), flags));
  }

  private OpenReply openNode(Caller who, long number, int flags) throws IOException {
    if ((flags & TRUNCATE) != 0 && (flags & ACCESS_MODE) == 0) {
      as(who).set(number, new AttributeChange().noFollow().sizeBytes(0));
    }
    List<OpenOption> options = options(flags);
    try {
      return opened(as(who).open(number, options), options, flags);
    } catch (AccessDeniedException e) {
      if (!readsForKernel(flags)) throw e;
      options.remove(StandardOpenOption.READ);
      return opened(as(who).open(number, options), options, flags);
    }
  }

  /**
   * A kernel with a write-back cache reads the rest of pages, even if the program may only write.
   */
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

  private OpenReply opened(ForebayFile file, List<OpenOption> options, int flags) {
    FileStat stat = file.openedStat();
    boolean reads = options.contains(StandardOpenOption.READ);
    boolean writes = (flags & ACCESS_MODE) != 0;
    long handle = files.add(file, reads, writes, (flags & DATA_SYNC) != 0);
    boolean direct = settings.cache() == CacheMode.NONE;
    if (direct) return new OpenReply(handle, true, false);
    Long before = cachedVersions.put(stat.number(), stat.version());
    boolean same = before != null && before == stat.version();
    // Close-to-open consistency: earlier publishes of others must be seen.
    if (before != null && !same) invalidate.accept(view.kernels(stat.number()));
    return new OpenReply(handle, false, same);
  }

  @Override
  public CreateReply create(Caller who, long directory, String name, int mode, int flags)
      throws IOException {
    List<OpenOption> options = options(flags);
    boolean exclusive = (flags & EXCLUSIVE) != 0;
    options.add(exclusive ? StandardOpenOption.CREATE_NEW : StandardOpenOption.CREATE);
    if (!options.contains(StandardOpenOption.WRITE)) options.add(StandardOpenOption.WRITE);
    ForebayFile file =
        as(who).create(view.ours(directory), name, options, mode & FileStat.MODE_BITS);
    NodeEntry entry = view.entry(file.openedStat());
    return new CreateReply(entry, opened(file, options, flags));
  }

  @Override
  public int read(long node, long handle, ByteBuffer target, long offset) throws IOException {
    OpenFiles.Handle open = files.get(handle);
    ForebayFile file = open.reads() ? open.file() : readerFor(open);
    return Math.max(0, file.read(target, offset));
  }

  /** A reader for a kernel that completes pages for a program that may only write. */
  private ForebayFile readerFor(OpenFiles.Handle open) throws IOException {
    if (settings.cache() != CacheMode.WRITEBACK) throw new ErrnoException(Errno.EBADF);
    return open.node()
        .readerOr(
            () ->
                kernel
                    .to(open.node().number())
                    .open(open.node().number(), List.of(StandardOpenOption.READ)));
  }

  @Override
  public void write(long node, long handle, RequestBytes bytes, long offset) throws IOException {
    OpenFiles.Handle open = files.get(handle);
    if (locks != null) locks.requireNotLost(open.node().number());
    open.node().write(bytes, offset, open.sync());
  }

  @Override
  public void flush(long node, long handle) throws IOException {
    NodeFile file = files.get(handle).node();
    // A program that closes an unchanged file gets no error when the cluster is gone.
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
    // Without an answer the kernel treats everything as data, which is always allowed.
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
    return directories.open(view.ours(node));
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
        view.ours(node),
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
    return spaces.space();
  }

  @Override
  public void access(Caller who, long node, int mask) throws IOException {
    stale.noting(
        who.thread(),
        () -> {
          as(who).access(view.ours(node), mask);
          return true;
        });
  }

  @Override
  public void setExtra(Caller who, long node, String name, byte[] value, int flags)
      throws IOException {
    extras.set(as(who), view.ours(node), name, value, flags);
  }

  @Override
  public byte[] getExtra(Caller who, long node, String name) throws IOException {
    byte[] known = extras.known(node, name);
    if (known != null) return known;
    presence.require();
    return extras.get(as(who), view.ours(node), name);
  }

  @Override
  public List<String> listExtras(Caller who, long node) throws IOException {
    return extras.list(as(who), view.ours(node));
  }

  @Override
  public void removeExtra(Caller who, long node, String name) throws IOException {
    extras.remove(as(who), view.ours(node), name);
  }
}
