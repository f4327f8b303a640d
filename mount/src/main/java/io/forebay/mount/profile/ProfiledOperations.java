// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.profile;

import io.forebay.client.profile.Call;
import io.forebay.mount.fuse.operation.AttributeSetting;
import io.forebay.mount.fuse.operation.Caller;
import io.forebay.mount.fuse.operation.CreateReply;
import io.forebay.mount.fuse.operation.DirectoryPage;
import io.forebay.mount.fuse.operation.FuseLocks;
import io.forebay.mount.fuse.operation.FuseOperations;
import io.forebay.mount.fuse.operation.NodeAttributes;
import io.forebay.mount.fuse.operation.NodeEntry;
import io.forebay.mount.fuse.operation.OpenReply;
import io.forebay.mount.fuse.operation.RequestBytes;
import io.forebay.mount.fuse.operation.Space;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts each request and its time, and passes it on. Any thread. */
final class ProfiledOperations implements FuseOperations {
  /** At the root: makes the mount keep its profile; the value is the path of the file. */
  static final String PROFILE = "user.forebay.mount.profile";

  /** Keeps the profile and tells where. */
  interface Keeping {
    byte[] get() throws IOException;
  }

  private final FuseOperations operations;
  private final CallCounter counter;
  private final NodeNames names;
  private final Keeping kept;
  private final @Nullable FuseLocks locks;

  ProfiledOperations(
      FuseOperations operations, CallCounter counter, NodeNames names, Keeping kept) {
    this.operations = operations;
    this.counter = counter;
    this.names = names;
    this.kept = kept;
    FuseLocks shared = operations.locks();
    this.locks = shared == null ? null : new ProfiledLocks(shared, counter);
  }

  @Override
  public @Nullable FuseLocks locks() {
    return locks;
  }

  private NodeEntry named(long directory, String name, NodeEntry entry) {
    names.found(directory, name, entry.attributes().node());
    return entry;
  }

  /** The kernel learns names from lists of directories too. */
  private final class NamedEntries implements DirectoryPage {
    private final long directory;
    private final DirectoryPage page;

    NamedEntries(long directory, DirectoryPage page) {
      this.directory = directory;
      this.page = page;
    }

    @Override
    public int roomBytes() {
      return page.roomBytes();
    }

    @Override
    public boolean withAttributes() {
      return page.withAttributes();
    }

    @Override
    public boolean add(String name, long node, int mode, long nextOffset) {
      return page.add(name, node, mode, nextOffset);
    }

    @Override
    public boolean add(String name, NodeEntry entry, long nextOffset) {
      boolean added = page.add(name, entry, nextOffset);
      if (added && page.withAttributes()) named(directory, name, entry);
      return added;
    }
  }

  @Override
  public int errnoOf(Throwable failure) {
    return operations.errnoOf(failure);
  }

  @Override
  public void admit() throws IOException {
    operations.admit();
  }

  @Override
  public NodeEntry lookup(Caller who, long directory, String name) throws IOException {
    long start = counter.now();
    try {
      return named(directory, name, operations.lookup(who, directory, name));
    } finally {
      counter.called(who, Call.LOOKUP, 0, start);
    }
  }

  @Override
  public void forget(long node) {
    names.forget(node);
    operations.forget(node);
  }

  @Override
  public double attributeSeconds() {
    return operations.attributeSeconds();
  }

  @Override
  public NodeAttributes attributes(Caller who, long node, long handle) throws IOException {
    long start = counter.now();
    try {
      return operations.attributes(who, node, handle);
    } finally {
      counter.called(who, Call.STAT, node, start);
    }
  }

  @Override
  public NodeAttributes setAttributes(Caller who, long node, long handle, AttributeSetting what)
      throws IOException {
    long start = counter.now();
    try {
      return operations.setAttributes(who, node, handle, what);
    } finally {
      counter.called(who, Call.SET_ATTRIBUTES, node, start);
    }
  }

  @Override
  public String readLink(Caller who, long node) throws IOException {
    long start = counter.now();
    try {
      return operations.readLink(who, node);
    } finally {
      counter.called(who, Call.OTHER, 0, start);
    }
  }

  @Override
  public NodeEntry makeNode(Caller who, long directory, String name, int mode, long device)
      throws IOException {
    long start = counter.now();
    try {
      return named(directory, name, operations.makeNode(who, directory, name, mode, device));
    } finally {
      counter.called(who, Call.CREATE, 0, start);
    }
  }

  @Override
  public NodeEntry makeDirectory(Caller who, long directory, String name, int mode)
      throws IOException {
    long start = counter.now();
    try {
      return named(directory, name, operations.makeDirectory(who, directory, name, mode));
    } finally {
      counter.called(who, Call.DIRECTORY, 0, start);
    }
  }

  @Override
  public NodeEntry makeSymlink(Caller who, long directory, String name, String target)
      throws IOException {
    long start = counter.now();
    try {
      return named(directory, name, operations.makeSymlink(who, directory, name, target));
    } finally {
      counter.called(who, Call.LINK, 0, start);
    }
  }

  @Override
  public NodeEntry makeLink(Caller who, long node, long directory, String name) throws IOException {
    long start = counter.now();
    try {
      return named(directory, name, operations.makeLink(who, node, directory, name));
    } finally {
      counter.called(who, Call.LINK, 0, start);
    }
  }

  @Override
  public void unlink(Caller who, long directory, String name) throws IOException {
    long start = counter.now();
    try {
      operations.unlink(who, directory, name);
    } finally {
      counter.called(who, Call.UNLINK, 0, start);
    }
  }

  @Override
  public void removeDirectory(Caller who, long directory, String name) throws IOException {
    long start = counter.now();
    try {
      operations.removeDirectory(who, directory, name);
    } finally {
      counter.called(who, Call.DIRECTORY, 0, start);
    }
  }

  @Override
  public void rename(
      Caller who, long directory, String name, long newDirectory, String newName, int flags)
      throws IOException {
    long start = counter.now();
    try {
      operations.rename(who, directory, name, newDirectory, newName, flags);
    } finally {
      counter.called(who, Call.RENAME, 0, start);
    }
  }

  @Override
  public OpenReply open(Caller who, long node, int flags) throws IOException {
    long start = counter.now();
    OpenReply reply = operations.open(who, node, flags);
    names.opened(node);
    counter.opened(who, Call.OPEN, node, reply.handle(), start);
    return reply;
  }

  @Override
  public CreateReply create(Caller who, long directory, String name, int mode, int flags)
      throws IOException {
    long start = counter.now();
    CreateReply reply = operations.create(who, directory, name, mode, flags);
    long node = reply.entry().attributes().node();
    names.found(directory, name, node);
    names.opened(node);
    counter.opened(who, Call.CREATE, node, reply.open().handle(), start);
    return reply;
  }

  @Override
  public int read(long node, long handle, ByteBuffer target, long offset) throws IOException {
    long start = counter.now();
    int count = operations.read(node, handle, target, offset);
    counter.accessed(handle, Call.READ, node, offset, count, start);
    return count;
  }

  @Override
  public void write(long node, long handle, RequestBytes bytes, long offset) throws IOException {
    long start = counter.now();
    // Before: the bytes may belong to another thread when it returns.
    long lengthBytes = bytes.bytes().remaining();
    operations.write(node, handle, bytes, offset);
    counter.accessed(handle, Call.WRITE, node, offset, lengthBytes, start);
  }

  @Override
  public void flush(long node, long handle) throws IOException {
    long start = counter.now();
    try {
      operations.flush(node, handle);
    } finally {
      counter.called(handle, Call.CLOSE, node, start);
    }
  }

  @Override
  public void sync(long node, long handle) throws IOException {
    long start = counter.now();
    try {
      operations.sync(node, handle);
    } finally {
      counter.called(handle, Call.SYNC, node, start);
    }
  }

  @Override
  public void release(long node, long handle) throws IOException {
    try {
      operations.release(node, handle);
    } finally {
      counter.released(handle);
    }
  }

  @Override
  public void allocate(long node, long handle, int mode, long offset, long lengthBytes)
      throws IOException {
    long start = counter.now();
    try {
      operations.allocate(node, handle, mode, offset, lengthBytes);
    } finally {
      counter.called(handle, Call.ALLOCATE, node, start);
    }
  }

  @Override
  public long seek(long node, long handle, long offset, int whence) throws IOException {
    long start = counter.now();
    try {
      return operations.seek(node, handle, offset, whence);
    } finally {
      counter.called(handle, Call.OTHER, node, start);
    }
  }

  @Override
  public long copy(
      long node, long handle, long offset, long toNode, long toHandle, long toOffset, long bytes)
      throws IOException {
    long start = counter.now();
    long count = operations.copy(node, handle, offset, toNode, toHandle, toOffset, bytes);
    // Both ends are accessed; the time counts once.
    counter.accessed(toHandle, Call.WRITE, toNode, toOffset, count, start);
    counter.accessed(handle, Call.READ, node, offset, count, counter.now());
    return count;
  }

  @Override
  public long openDirectory(Caller who, long node) throws IOException {
    long start = counter.now();
    long handle = operations.openDirectory(who, node);
    counter.openedDirectory(who, handle);
    counter.called(who, Call.DIRECTORY, 0, start);
    return handle;
  }

  @Override
  public void readDirectory(Caller who, long node, long handle, long offset, DirectoryPage page)
      throws IOException {
    long start = counter.now();
    try {
      operations.readDirectory(who, node, handle, offset, new NamedEntries(node, page));
    } finally {
      counter.called(who, Call.DIRECTORY, 0, start);
    }
  }

  @Override
  public void releaseDirectory(long node, long handle) {
    counter.releasedDirectory(handle);
    operations.releaseDirectory(node, handle);
  }

  @Override
  public void syncDirectory(long node, long handle) throws IOException {
    long start = counter.now();
    operations.syncDirectory(node, handle);
    counter.syncedDirectory(handle, start);
  }

  @Override
  public Space space(Caller who) throws IOException {
    long start = counter.now();
    try {
      return operations.space(who);
    } finally {
      counter.called(who, Call.OTHER, 0, start);
    }
  }

  @Override
  public void access(Caller who, long node, int mask) throws IOException {
    long start = counter.now();
    try {
      operations.access(who, node, mask);
    } finally {
      counter.called(who, Call.ACCESS, 0, start);
    }
  }

  @Override
  public void setExtra(Caller who, long node, String name, byte[] value, int flags)
      throws IOException {
    long start = counter.now();
    try {
      operations.setExtra(who, node, name, value, flags);
    } finally {
      counter.called(who, Call.OTHER, 0, start);
    }
  }

  @Override
  public byte[] getExtra(Caller who, long node, String name) throws IOException {
    if (node == ROOT && name.equals(PROFILE)) return kept.get();
    long start = counter.now();
    try {
      return operations.getExtra(who, node, name);
    } finally {
      counter.called(who, Call.OTHER, 0, start);
    }
  }

  @Override
  public List<String> listExtras(Caller who, long node) throws IOException {
    long start = counter.now();
    try {
      return operations.listExtras(who, node);
    } finally {
      counter.called(who, Call.OTHER, 0, start);
    }
  }

  @Override
  public void removeExtra(Caller who, long node, String name) throws IOException {
    long start = counter.now();
    try {
      operations.removeExtra(who, node, name);
    } finally {
      counter.called(who, Call.OTHER, 0, start);
    }
  }
}
