// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file system with the kernel's requests, by numbers of nodes; the root is {@link #ROOT}. Each
 * method may wait; an exception becomes an error number.
 *
 * <p>Handles are numbers that {@link #open}, {@link #create} and {@link #openDirectory} gave, or 0
 * where a request comes without one. Flags and modes are Linux's.
 */
public interface FuseOperations {
  long ROOT = 1;

  /** The error number for a failure. */
  int errnoOf(Throwable failure);

  /**
   * Called before each request that may be refused: fails if the request cannot succeed. Requests
   * that close something are never refused.
   */
  void admit() throws IOException;

  /** Locks that hold beyond this mount; null to leave locks to the kernel, for this mount alone. */
  default @Nullable FuseLocks locks() {
    return null;
  }

  NodeEntry lookup(Caller who, long directory, String name) throws IOException;

  /** The kernel does not know the node any more. */
  void forget(long node);

  /** How long the kernel may cache attributes that it asked for. */
  double attributeSeconds();

  NodeAttributes attributes(Caller who, long node, long handle) throws IOException;

  NodeAttributes setAttributes(Caller who, long node, long handle, AttributeSetting what)
      throws IOException;

  String readLink(Caller who, long node) throws IOException;

  /** Creates a file or a special file; the device number is ignored except for devices. */
  NodeEntry makeNode(Caller who, long directory, String name, int mode, long device)
      throws IOException;

  NodeEntry makeDirectory(Caller who, long directory, String name, int mode) throws IOException;

  NodeEntry makeSymlink(Caller who, long directory, String name, String target) throws IOException;

  NodeEntry makeLink(Caller who, long node, long directory, String name) throws IOException;

  void unlink(Caller who, long directory, String name) throws IOException;

  void removeDirectory(Caller who, long directory, String name) throws IOException;

  void rename(Caller who, long directory, String name, long newDirectory, String newName, int flags)
      throws IOException;

  OpenReply open(Caller who, long node, int flags) throws IOException;

  CreateReply create(Caller who, long directory, String name, int mode, int flags)
      throws IOException;

  /** Fills the target up to the end of the file; returns the number of bytes. */
  int read(long node, long handle, ByteBuffer target, long offset) throws IOException;

  /** Writes all of the bytes. */
  void write(long node, long handle, RequestBytes bytes, long offset) throws IOException;

  /** A program closes a descriptor of the file, perhaps not the last one. */
  void flush(long node, long handle) throws IOException;

  void sync(long node, long handle) throws IOException;

  /** The last descriptor is closed; exceptions are not reported to any program. */
  void release(long node, long handle) throws IOException;

  void allocate(long node, long handle, int mode, long offset, long lengthBytes) throws IOException;

  long seek(long node, long handle, long offset, int whence) throws IOException;

  long copy(
      long node, long handle, long offset, long toNode, long toHandle, long toOffset, long bytes)
      throws IOException;

  long openDirectory(Caller who, long node) throws IOException;

  void readDirectory(Caller who, long node, long handle, long offset, DirectoryPage page)
      throws IOException;

  void releaseDirectory(long node, long handle);

  void syncDirectory(long node, long handle) throws IOException;

  Space space(Caller who) throws IOException;

  void access(Caller who, long node, int mask) throws IOException;

  /** Sets an extra attribute; flags are those of setxattr(2). */
  void setExtra(Caller who, long node, String name, byte[] value, int flags) throws IOException;

  byte[] getExtra(Caller who, long node, String name) throws IOException;

  List<String> listExtras(Caller who, long node) throws IOException;

  void removeExtra(Caller who, long node, String name) throws IOException;
}
