// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** The functions of libfuse3 that we call. Requests and sessions are addresses. Any thread. */
public final class LibFuse {
  private static final String LIBRARY = "libfuse3.so.3";

  // As reported by fuse_version(). Later ones have other structures, and another name.
  private static final int VERSION_MIN = 310;
  private static final int VERSION_END = 317;

  private final SymbolLookup symbols;
  private final MethodHandle version;
  private final MethodHandle sessionNew;
  private final MethodHandle sessionMount;
  private final MethodHandle sessionUnmount;
  private final MethodHandle sessionDestroy;
  private final MethodHandle sessionExited;
  private final MethodHandle sessionDescriptor;
  private final MethodHandle receiveBuf;
  private final MethodHandle processBuf;
  private final MethodHandle requestContext;
  private final MethodHandle replyErr;
  private final MethodHandle replyNone;
  private final MethodHandle replyEntry;
  private final MethodHandle replyCreate;
  private final MethodHandle replyAttr;
  private final MethodHandle replyReadlink;
  private final MethodHandle replyOpen;
  private final MethodHandle replyWrite;
  private final MethodHandle replyBuf;
  private final MethodHandle replyStatfs;
  private final MethodHandle replyXattr;
  private final MethodHandle replyLseek;
  private final MethodHandle replyLock;
  private final MethodHandle interrupted;
  private final MethodHandle notifyInvalInode;
  private final MethodHandle addDirentry;
  private final MethodHandle addDirentryPlus;

  private LibFuse(SymbolLookup symbols) throws FuseUnavailable {
    this.symbols = symbols;
    version = function("fuse_version", JAVA_INT);
    sessionNew = function("fuse_session_new", JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG);
    sessionMount = function("fuse_session_mount", JAVA_INT, JAVA_LONG, ADDRESS);
    sessionUnmount = procedure("fuse_session_unmount", JAVA_LONG);
    sessionDestroy = procedure("fuse_session_destroy", JAVA_LONG);
    sessionExited = function("fuse_session_exited", JAVA_INT, JAVA_LONG);
    sessionDescriptor = function("fuse_session_fd", JAVA_INT, JAVA_LONG);
    receiveBuf = function("fuse_session_receive_buf", JAVA_INT, JAVA_LONG, ADDRESS);
    processBuf = procedure("fuse_session_process_buf", JAVA_LONG, ADDRESS);
    requestContext = function("fuse_req_ctx", structure(FuseLayouts.CTX), JAVA_LONG);
    replyErr = function("fuse_reply_err", JAVA_INT, JAVA_LONG, JAVA_INT);
    replyNone = procedure("fuse_reply_none", JAVA_LONG);
    replyEntry = function("fuse_reply_entry", JAVA_INT, JAVA_LONG, ADDRESS);
    replyCreate = function("fuse_reply_create", JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    replyAttr = function("fuse_reply_attr", JAVA_INT, JAVA_LONG, ADDRESS, JAVA_DOUBLE);
    replyReadlink = function("fuse_reply_readlink", JAVA_INT, JAVA_LONG, ADDRESS);
    replyOpen = function("fuse_reply_open", JAVA_INT, JAVA_LONG, ADDRESS);
    replyWrite = function("fuse_reply_write", JAVA_INT, JAVA_LONG, JAVA_LONG);
    replyBuf = function("fuse_reply_buf", JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG);
    replyStatfs = function("fuse_reply_statfs", JAVA_INT, JAVA_LONG, ADDRESS);
    replyXattr = function("fuse_reply_xattr", JAVA_INT, JAVA_LONG, JAVA_LONG);
    replyLseek = function("fuse_reply_lseek", JAVA_INT, JAVA_LONG, JAVA_LONG);
    replyLock = function("fuse_reply_lock", JAVA_INT, JAVA_LONG, ADDRESS);
    interrupted = function("fuse_req_interrupted", JAVA_INT, JAVA_LONG);
    notifyInvalInode =
        function(
            "fuse_lowlevel_notify_inval_inode",
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG);
    addDirentry = direntry("fuse_add_direntry");
    addDirentryPlus = direntry("fuse_add_direntry_plus");
  }

  /** Loads the library and checks that its structures are known. */
  @SuppressWarnings("restricted")
  public // Processes are started with native access.
  static LibFuse load() throws FuseUnavailable {
    String system = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
    if (!system.equals("Linux on " + FuseLayouts.ARCHITECTURE)) {
      throw new FuseUnavailable(
          "mounting works on Linux on 64-bit x86, and this is " + system + "; use the client API");
    }
    SymbolLookup symbols;
    try {
      symbols = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
    } catch (IllegalArgumentException e) {
      throw new FuseUnavailable(
          LIBRARY
              + " is not installed; install it with 'apt-get install fuse3' (Debian, Ubuntu)"
              + " or 'dnf install fuse3 fuse3-libs' (Fedora, RHEL)",
          e);
    }
    LibFuse library = new LibFuse(symbols);
    library.checkVersion();
    LibC.checkStat();
    return library;
  }

  private void checkVersion() throws FuseUnavailable {
    int found;
    try {
      found = (int) version.invokeExact();
    } catch (Throwable e) {
      throw broken(e);
    }
    if (found < VERSION_MIN || found >= VERSION_END) {
      throw new FuseUnavailable(
          "%s is version %d.%d, and only 3.10 to 3.16 are known here; install one of these"
              .formatted(LIBRARY, found / 100, found % 100));
    }
  }

  private MethodHandle direntry(String name) throws FuseUnavailable {
    return function(name, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);
  }

  private MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments)
      throws FuseUnavailable {
    return link(name, FunctionDescriptor.of(result, arguments));
  }

  private MethodHandle procedure(String name, MemoryLayout... arguments) throws FuseUnavailable {
    return link(name, FunctionDescriptor.ofVoid(arguments));
  }

  @SuppressWarnings("restricted")
  private MethodHandle link(String name, FunctionDescriptor descriptor) throws FuseUnavailable {
    MemorySegment symbol =
        symbols
            .find(name)
            .orElseThrow(
                () ->
                    new FuseUnavailable(
                        LIBRARY + " has no function " + name + "; install libfuse 3.10 to 3.16"));
    return Linker.nativeLinker().downcallHandle(symbol, descriptor);
  }

  @SuppressWarnings("restricted")
  public static MemoryLayout structure(MemoryLayout layout) {
    return ADDRESS.withTargetLayout(layout);
  }

  /** None of the called functions throws; if one does, the binding is wrong. */
  static IllegalStateException broken(Throwable e) {
    return new IllegalStateException("a call into libfuse failed", e);
  }

  /** A session, or 0 if the arguments are invalid; libfuse has printed the reason to stderr. */
  public long sessionNew(MemorySegment arguments, MemorySegment operations) {
    try {
      return (long) sessionNew.invokeExact(arguments, operations, operations.byteSize(), 0L);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int sessionMount(long session, MemorySegment directory) {
    try {
      return (int) sessionMount.invokeExact(session, directory);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Ends the connection to the kernel, and unmounts if still mounted. */
  public void sessionUnmount(long session) {
    try {
      sessionUnmount.invokeExact(session);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public void sessionDestroy(long session) {
    try {
      sessionDestroy.invokeExact(session);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public boolean sessionExited(long session) {
    try {
      return (int) sessionExited.invokeExact(session) != 0;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** The device that requests are read from. */
  public int sessionDescriptor(long session) {
    try {
      return (int) sessionDescriptor.invokeExact(session);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Waits for a request; its length, 0 at the end, or a negative error number. */
  public int receive(long session, MemorySegment buffer) {
    try {
      return (int) receiveBuf.invokeExact(session, buffer);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Handles a request by one of the callbacks. */
  public void process(long session, MemorySegment buffer) {
    try {
      processBuf.invokeExact(session, buffer);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public MemorySegment context(long request) {
    try {
      return (MemorySegment) requestContext.invokeExact(request);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyErr(long request, int errno) {
    try {
      return (int) replyErr.invokeExact(request, errno);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public void replyNone(long request) {
    try {
      replyNone.invokeExact(request);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyEntry(long request, MemorySegment entry) {
    try {
      return (int) replyEntry.invokeExact(request, entry);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyCreate(long request, MemorySegment entry, MemorySegment fileInfo) {
    try {
      return (int) replyCreate.invokeExact(request, entry, fileInfo);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyAttr(long request, MemorySegment stat, double seconds) {
    try {
      return (int) replyAttr.invokeExact(request, stat, seconds);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyReadlink(long request, MemorySegment target) {
    try {
      return (int) replyReadlink.invokeExact(request, target);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyOpen(long request, MemorySegment fileInfo) {
    try {
      return (int) replyOpen.invokeExact(request, fileInfo);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyWrite(long request, long bytes) {
    try {
      return (int) replyWrite.invokeExact(request, bytes);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyBuf(long request, MemorySegment bytes, long length) {
    try {
      return (int) replyBuf.invokeExact(request, bytes, length);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyStatfs(long request, MemorySegment statvfs) {
    try {
      return (int) replyStatfs.invokeExact(request, statvfs);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyXattr(long request, long bytes) {
    try {
      return (int) replyXattr.invokeExact(request, bytes);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyLseek(long request, long offset) {
    try {
      return (int) replyLseek.invokeExact(request, offset);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public int replyLock(long request, MemorySegment lock) {
    try {
      return (int) replyLock.invokeExact(request, lock);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Whether the program that asked was interrupted since. */
  public boolean isInterrupted(long request) {
    try {
      return (int) interrupted.invokeExact(request) != 0;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Invalidates a node's attributes and pages in the kernel; it writes back changed pages. */
  public int invalidate(long session, long node) {
    try {
      return (int) notifyInvalInode.invokeExact(session, node, 0L, 0L);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Lets the kernel forget a node's attributes. */
  public int invalidateAttributes(long session, long node) {
    try {
      return (int) notifyInvalInode.invokeExact(session, node, -1L, 0L);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** The size of the entry, even if that exceeds the buffer. */
  public long addDirentry(
      long request, MemorySegment room, MemorySegment name, MemorySegment stat, long next) {
    try {
      return (long) addDirentry.invokeExact(request, room, room.byteSize(), name, stat, next);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  public long addDirentryPlus(
      long request, MemorySegment room, MemorySegment name, MemorySegment entry, long next) {
    try {
      return (long) addDirentryPlus.invokeExact(request, room, room.byteSize(), name, entry, next);
    } catch (Throwable e) {
      throw broken(e);
    }
  }
}
