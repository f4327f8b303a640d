// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.forebay.mount.fuse.library.FuseLayouts;
import io.forebay.mount.fuse.library.LibFuse;
import io.forebay.mount.fuse.operation.AttributeSetting;
import io.forebay.mount.fuse.operation.Caller;
import io.forebay.mount.fuse.operation.CreateReply;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.mount.fuse.operation.FuseLocks;
import io.forebay.mount.fuse.operation.FuseOperations;
import io.forebay.mount.fuse.operation.NodeAttributes;
import io.forebay.mount.fuse.operation.OpenReply;
import io.forebay.mount.fuse.operation.RequestBytes;
import io.forebay.mount.fuse.operation.Space;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callbacks of libfuse: one method for each function of {@code fuse_lowlevel_ops}, with its
 * name and its arguments. Each reads the arguments, runs the operation and answers exactly once;
 * nothing is thrown into C. Threads of the session only.
 */
final class FuseCallbacks extends RequestAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(FuseCallbacks.class);

  private static final MemoryLayout TEXT =
      LibFuse.structure(MemoryLayout.sequenceLayout(Long.MAX_VALUE, JAVA_BYTE));
  private static final MemoryLayout INFO = LibFuse.structure(FuseLayouts.FILE_INFO);
  private static final MemoryLayout STAT = LibFuse.structure(FuseLayouts.STAT);
  private static final MemoryLayout FLOCK = LibFuse.structure(FuseLayouts.FLOCK);
  private static final MemoryLayout CONNECTION = LibFuse.structure(FuseLayouts.CONN_INFO);
  private static final MemoryLayout FORGETS =
      LibFuse.structure(MemoryLayout.sequenceLayout(Integer.MAX_VALUE, FuseLayouts.FORGET_DATA));
  private static final MemoryLayout R = JAVA_LONG;
  private static final MemoryLayout NODE = JAVA_LONG;
  private static final MemoryLayout LONG = JAVA_LONG;
  private static final MemoryLayout INT = JAVA_INT;

  private static final long FLAGS = FuseLayouts.at(FuseLayouts.FILE_INFO, "flags");

  private final FuseConnection connection;
  private final @Nullable LockCallbacks locks;
  private final Arena arena;
  private final MemorySegment table;

  FuseCallbacks(
      LibFuse library,
      FuseOperations operations,
      FuseConnection connection,
      @Nullable LockCallbacks locks,
      Arena arena) {
    super(library, operations);
    this.connection = connection;
    this.locks = locks;
    this.arena = arena;
    this.table = arena.allocate(FuseLayouts.LOWLEVEL_OPS);
    fillTable();
  }

  /** The structure for libfuse, which copies it. */
  MemorySegment table() {
    return table;
  }

  private void fillTable() {
    // Without these the kernel handles the locks of this mount itself.
    if (locks != null) {
      put(locks, "getlk", R, NODE, INFO, FLOCK);
      put(locks, "setlk", R, NODE, INFO, FLOCK, INT);
      put(locks, "flock", R, NODE, INFO, INT);
    }
    put("init", LONG, CONNECTION);
    put("lookup", R, NODE, TEXT);
    put("forget", R, NODE, LONG);
    put("forget_multi", R, LONG, FORGETS);
    put("getattr", R, NODE, INFO);
    put("setattr", R, NODE, STAT, INT, INFO);
    put("readlink", R, NODE);
    put("mknod", R, NODE, TEXT, INT, LONG);
    put("mkdir", R, NODE, TEXT, INT);
    put("unlink", R, NODE, TEXT);
    put("rmdir", R, NODE, TEXT);
    put("symlink", R, TEXT, NODE, TEXT);
    put("rename", R, NODE, TEXT, NODE, TEXT, INT);
    put("link", R, NODE, NODE, TEXT);
    put("open", R, NODE, INFO);
    put("create", R, NODE, TEXT, INT, INFO);
    put("read", R, NODE, LONG, LONG, INFO);
    put("write", R, NODE, TEXT, LONG, LONG, INFO);
    put("flush", R, NODE, INFO);
    put("release", R, NODE, INFO);
    put("fsync", R, NODE, INT, INFO);
    put("opendir", R, NODE, INFO);
    put("readdir", R, NODE, LONG, LONG, INFO);
    put("readdirplus", R, NODE, LONG, LONG, INFO);
    put("releasedir", R, NODE, INFO);
    put("fsyncdir", R, NODE, INT, INFO);
    put("statfs", R, NODE);
    put("setxattr", R, NODE, TEXT, TEXT, LONG, INT);
    put("getxattr", R, NODE, TEXT, LONG);
    put("listxattr", R, NODE, LONG);
    put("removexattr", R, NODE, TEXT);
    put("access", R, NODE, INT);
    put("fallocate", R, NODE, INT, LONG, LONG, INFO);
    put("copy_file_range", R, NODE, LONG, INFO, NODE, LONG, INFO, LONG, INT);
    put("lseek", R, NODE, LONG, INT, INFO);
    put("ioctl", R, NODE, INT, LONG, INFO, INT, LONG, LONG, LONG);
  }

  private void put(String name, MemoryLayout... arguments) {
    put(this, name, arguments);
  }

  @SuppressWarnings("restricted") // Processes are started with native access.
  private void put(RequestAnswers receiver, String name, MemoryLayout... arguments) {
    FunctionDescriptor descriptor = FunctionDescriptor.ofVoid(arguments);
    try {
      MethodHandle method =
          MethodHandles.lookup().bind(receiver, methodOf(name), descriptor.toMethodType());
      MemorySegment stub = Linker.nativeLinker().upcallStub(method, descriptor, arena);
      table.set(ADDRESS, FuseLayouts.at(FuseLayouts.LOWLEVEL_OPS, name), stub);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalStateException("no method for " + name, e);
    }
  }

  private static String methodOf(String name) {
    return switch (name) {
      case "forget_multi" -> "forgetMulti";
      case "copy_file_range" -> "copyFileRange";
      default -> name;
    };
  }

  // Life.

  void init(long data, MemorySegment info) {
    try {
      connection.begin(info);
    } catch (RuntimeException | Error e) {
      LOG.error("the mount's beginning failed", e);
    }
  }

  // Names.

  void lookup(long request, long parent, MemorySegment name) {
    answer(request, () -> entry(request, operations.lookup(caller(request), parent, text(name))));
  }

  void forget(long request, long node, long lookups) {
    forgetNode(node);
    library.replyNone(request);
  }

  private void forgetNode(long node) {
    try {
      operations.forget(node);
    } catch (RuntimeException | Error e) {
      LOG.error("node {} was not forgotten", node, e);
    }
  }

  void forgetMulti(long request, long count, MemorySegment forgets) {
    StructLayout layout = FuseLayouts.FORGET_DATA;
    long ino = FuseLayouts.at(layout, "ino");
    for (long i = 0; i < count; i++) {
      forgetNode(forgets.get(JAVA_LONG, i * layout.byteSize() + ino));
    }
    library.replyNone(request);
  }

  void getattr(long request, long node, MemorySegment info) {
    answer(
        request,
        () -> attributes(request, operations.attributes(caller(request), node, handle(info))));
  }

  void setattr(long request, long node, MemorySegment stat, int which, MemorySegment info) {
    answer(
        request,
        () -> {
          AttributeSetting setting = Scratch.setting(stat, which);
          Caller who = caller(request);
          return attributes(request, operations.setAttributes(who, node, handle(info), setting));
        });
  }

  private Answer attributes(long request, NodeAttributes attributes) {
    return () ->
        library.replyAttr(request, scratch().stat(attributes), operations.attributeSeconds());
  }

  void readlink(long request, long node) {
    answer(
        request,
        () -> {
          String target = operations.readLink(caller(request), node);
          return () -> library.replyReadlink(request, scratch().text(target));
        });
  }

  void mknod(long request, long parent, MemorySegment name, int mode, long device) {
    answer(
        request,
        () ->
            entry(request, operations.makeNode(caller(request), parent, text(name), mode, device)));
  }

  void mkdir(long request, long parent, MemorySegment name, int mode) {
    answer(
        request,
        () -> entry(request, operations.makeDirectory(caller(request), parent, text(name), mode)));
  }

  void unlink(long request, long parent, MemorySegment name) {
    done(request, () -> operations.unlink(caller(request), parent, text(name)));
  }

  void rmdir(long request, long parent, MemorySegment name) {
    done(request, () -> operations.removeDirectory(caller(request), parent, text(name)));
  }

  void symlink(long request, MemorySegment target, long parent, MemorySegment name) {
    answer(
        request,
        () ->
            entry(
                request,
                operations.makeSymlink(caller(request), parent, text(name), text(target))));
  }

  void rename(
      long request,
      long parent,
      MemorySegment name,
      long newParent,
      MemorySegment newName,
      int flags) {
    done(
        request,
        () ->
            operations.rename(
                caller(request), parent, text(name), newParent, text(newName), flags));
  }

  void link(long request, long node, long newParent, MemorySegment newName) {
    answer(
        request,
        () -> entry(request, operations.makeLink(caller(request), node, newParent, text(newName))));
  }

  // Files.

  void open(long request, long node, MemorySegment info) {
    answer(
        request,
        () -> {
          OpenReply open = operations.open(caller(request), node, info.get(JAVA_INT, FLAGS));
          return () -> opened(node, open, library.replyOpen(request, scratch().fileInfo(open)));
        });
  }

  void create(long request, long parent, MemorySegment name, int mode, MemorySegment info) {
    answer(
        request,
        () -> {
          CreateReply made =
              operations.create(
                  caller(request), parent, text(name), mode, info.get(JAVA_INT, FLAGS));
          long node = made.entry().attributes().node();
          return () ->
              opened(
                  node,
                  made.open(),
                  library.replyCreate(
                      request, scratch().entry(made.entry()), scratch().fileInfo(made.open())));
        });
  }

  /** If the opening program was interrupted, it will never close the file. */
  private int opened(long node, OpenReply open, int result) {
    if (result == -Errno.ENOENT) {
      try {
        operations.release(node, open.handle());
      } catch (IOException e) {
        LOG.debug("released after an interrupt", e);
      }
    }
    return result;
  }

  void read(long request, long node, long size, long offset, MemorySegment info) {
    answer(
        request,
        () -> {
          MemorySegment data = scratch().data(size);
          int count = operations.read(node, handle(info), data.asByteBuffer(), offset);
          return () -> library.replyBuf(request, data, count);
        });
  }

  void write(
      long request, long node, MemorySegment bytes, long size, long offset, MemorySegment info) {
    answer(
        request,
        () -> {
          RequestBytes held = FuseWorker.current().bytes(bytes.asSlice(0, size));
          operations.write(node, handle(info), held, offset);
          return () -> library.replyWrite(request, size);
        });
  }

  void flush(long request, long node, MemorySegment info) {
    FuseLocks shared = operations.locks();
    long owner = LockCallbacks.owner(info);
    doneAlways(
        request,
        () -> {
          try {
            operations.flush(node, handle(info));
          } finally {
            if (shared != null) shared.closed(node, owner);
          }
        });
  }

  void release(long request, long node, MemorySegment info) {
    FuseLocks shared = operations.locks();
    boolean locked =
        (info.get(JAVA_INT, FuseLayouts.FILE_INFO_BITS) & FuseLayouts.FLOCK_RELEASE) != 0;
    long owner = LockCallbacks.owner(info);
    doneAlways(
        request,
        () -> {
          try {
            if (shared != null && locked) shared.released(node, owner);
          } finally {
            operations.release(node, handle(info));
          }
        });
  }

  void fsync(long request, long node, int dataOnly, MemorySegment info) {
    done(request, () -> operations.sync(node, handle(info)));
  }

  void fallocate(long request, long node, int mode, long offset, long length, MemorySegment info) {
    done(request, () -> operations.allocate(node, handle(info), mode, offset, length));
  }

  void copyFileRange(
      long request,
      long node,
      long offset,
      MemorySegment info,
      long toNode,
      long toOffset,
      MemorySegment toInfo,
      long length,
      int flags) {
    answer(
        request,
        () -> {
          long count =
              operations.copy(node, handle(info), offset, toNode, handle(toInfo), toOffset, length);
          return () -> library.replyWrite(request, count);
        });
  }

  void lseek(long request, long node, long offset, int whence, MemorySegment info) {
    answer(
        request,
        () -> {
          long found = operations.seek(node, handle(info), offset, whence);
          return () -> library.replyLseek(request, found);
        });
  }

  void ioctl(
      long request,
      long node,
      int command,
      long argument,
      MemorySegment info,
      int flags,
      long input,
      long inputBytes,
      long outputBytes) {
    library.replyErr(request, Errno.ENOTTY);
  }

  // Directories.

  void opendir(long request, long node, MemorySegment info) {
    answer(
        request,
        () -> {
          long handle = operations.openDirectory(caller(request), node);
          OpenReply open = new OpenReply(handle, false, false);
          return () -> {
            int result = library.replyOpen(request, scratch().fileInfo(open));
            if (result == -Errno.ENOENT) operations.releaseDirectory(node, handle);
            return result;
          };
        });
  }

  void readdir(long request, long node, long size, long offset, MemorySegment info) {
    readDirectory(request, node, size, offset, info, false);
  }

  void readdirplus(long request, long node, long size, long offset, MemorySegment info) {
    readDirectory(request, node, size, offset, info, true);
  }

  private void readDirectory(
      long request, long node, long size, long offset, MemorySegment info, boolean plus) {
    answer(
        request,
        () -> {
          Page page = new Page(library, request, scratch(), size, plus);
          operations.readDirectory(caller(request), node, handle(info), offset, page);
          return page::reply;
        });
  }

  void releasedir(long request, long node, MemorySegment info) {
    doneAlways(request, () -> operations.releaseDirectory(node, handle(info)));
  }

  void fsyncdir(long request, long node, int dataOnly, MemorySegment info) {
    done(request, () -> operations.syncDirectory(node, handle(info)));
  }

  // The rest.

  void statfs(long request, long node) {
    answer(
        request,
        () -> {
          Space space = operations.space(caller(request));
          return () -> library.replyStatfs(request, scratch().statvfs(space));
        });
  }

  void access(long request, long node, int mask) {
    done(request, () -> operations.access(caller(request), node, mask));
  }

  void setxattr(
      long request, long node, MemorySegment name, MemorySegment value, long size, int flags) {
    done(
        request,
        () ->
            operations.setExtra(
                caller(request),
                node,
                text(name),
                value.asSlice(0, size).toArray(JAVA_BYTE),
                flags));
  }

  void getxattr(long request, long node, MemorySegment name, long size) {
    // Not refused: some attributes need no request.
    answerAlways(
        request,
        () -> extra(request, operations.getExtra(caller(request), node, text(name)), size));
  }

  void listxattr(long request, long node, long size) {
    answer(
        request,
        () -> {
          List<String> names = operations.listExtras(caller(request), node);
          StringBuilder joined = new StringBuilder();
          for (String name : names) joined.append(name).append('\0');
          return extra(request, joined.toString().getBytes(StandardCharsets.UTF_8), size);
        });
  }

  /** With a size of 0 it is only asked how long it is. */
  private Answer extra(long request, byte[] value, long size) throws ErrnoException {
    if (size == 0) return () -> library.replyXattr(request, value.length);
    if (value.length > size) throw new ErrnoException(Errno.ERANGE);
    MemorySegment data = scratch().data(size);
    MemorySegment.copy(value, 0, data, JAVA_BYTE, 0, value.length);
    return () -> library.replyBuf(request, data, value.length);
  }

  void removexattr(long request, long node, MemorySegment name) {
    done(request, () -> operations.removeExtra(caller(request), node, text(name)));
  }
}
