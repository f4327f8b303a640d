// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.failure.Failures;
import io.forebay.client.failure.FileRefusedException;
import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.FileStat;
import io.forebay.client.file.NodePage;
import io.forebay.client.file.NodePath;
import io.forebay.client.file.OpenFlags;
import io.forebay.client.file.RingRoom;
import io.forebay.client.file.Usage;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.util.Collection;
import java.util.List;

/**
 * The names and files of an instance by the numbers of their nodes, for callers that resolve paths
 * themselves, such as the kernel above a mount. Numbers are never reused, and a node keeps its
 * number when it is renamed or unlinked. A name is one part of a path; links are never followed.
 * Any thread; each call waits for its answer.
 *
 * <p>{@link Forebay#nodes} returns it. The number of a deleted node is refused with {@link
 * ErrorCode#STALE_HANDLE}.
 */
public final class Nodes {
  /** How often to retry to create or open a file that others create and remove at the same time. */
  private static final int CREATE_TRIES_MAX = 10;

  private final Forebay client;
  private final NameCalls calls;

  Nodes(Forebay client, NameCalls calls) {
    this.client = client;
    this.calls = calls;
  }

  /** The same with another identity. */
  public Nodes as(Identity somebody) {
    return client.as(somebody).nodes();
  }

  /** The number of the root directory. */
  public long root() throws IOException {
    return calls.root();
  }

  /** The node of a name; needs the right to search the directory. */
  public FileStat lookup(long directory, String name) throws IOException {
    return calls.stat(NodePath.of(directory, name), false);
  }

  /**
   * The attributes of a node. Publishes this client's writes to it first, so that the modification
   * time includes them.
   */
  public FileStat stat(long node) throws IOException {
    return calls.stat(node);
  }

  /**
   * Whether a client is writing a file: it created the file or published to it, has not closed it,
   * and its session is alive. Servers keep a silent session alive for {@link
   * ForebayOptions#sessionExpiry}.
   */
  public boolean isWritten(long node) throws IOException {
    return calls.isWritten(node);
  }

  /**
   * Checks access to a node as access(2) does; fails if it is denied.
   *
   * @param mask 4 to read, 2 to write, 1 to run or search, or a sum of these
   */
  public void access(long node, int mask) throws IOException {
    calls.checkAccess(NodePath.of(node), mask);
  }

  /**
   * Changes attributes; publishes this client's writes to the node first. Changing the size needs
   * the right to write. A client that has the file open for writing uses {@link ForebayFile#set},
   * which needs no right.
   */
  public FileStat set(long node, AttributeChange what) throws IOException {
    NodePath at = NodePath.of(node);
    if (what.changesSize()) calls.checkAccess(at, Names.MAY_WRITE);
    return calls.set(at, what);
  }

  /**
   * Some names of a directory in the order of {@link String#compareTo}, without "." and "..".
   *
   * @param after the names behind this one; empty for the first
   * @param max the maximum number of names; a page may be shorter even if more names follow
   */
  public NodePage list(long directory, String after, int max) throws IOException {
    return calls.list(NodePath.of(directory), after, max);
  }

  public FileStat mkdir(long directory, String name, int mode) throws IOException {
    return calls.mkdir(NodePath.of(directory, name), mode);
  }

  /**
   * Makes a FIFO, a socket or a device, for kernels to use: this client cannot open it.
   *
   * @param device which device, as Linux numbers them; ignored for FIFOs and sockets
   */
  public FileStat mknod(long directory, String name, FileStat.Kind kind, int mode, long device)
      throws IOException {
    return calls.mknod(NodePath.of(directory, name), kind, mode, device);
  }

  public FileStat symlink(String target, long directory, String name) throws IOException {
    return calls.symlink(target, NodePath.of(directory, name));
  }

  public String readlink(long node) throws IOException {
    return calls.readlink(NodePath.of(node));
  }

  /** Gives a node another name. */
  public FileStat link(long node, long newDirectory, String newName) throws IOException {
    return calls.link(NodePath.of(node), NodePath.of(newDirectory, newName));
  }

  public void unlink(long directory, String name) throws IOException {
    calls.unlink(NodePath.of(directory, name));
  }

  public void rmdir(long directory, String name) throws IOException {
    calls.rmdir(NodePath.of(directory, name));
  }

  /**
   * Renames.
   *
   * @param noReplace fails if something has the new name
   * @param exchange both must exist and change places
   */
  public void rename(
      long from, String name, long to, String newName, boolean noReplace, boolean exchange)
      throws IOException {
    calls.rename(NodePath.of(from, name), NodePath.of(to, newName), noReplace, exchange);
  }

  // Extra attributes.

  public byte[] getExtra(long node, String name) throws IOException {
    return calls.getExtra(NodePath.of(node), name);
  }

  /**
   * Sets an extra attribute.
   *
   * @param create fails if the attribute exists
   * @param replace fails if the attribute does not exist
   */
  public void setExtra(long node, String name, byte[] value, boolean create, boolean replace)
      throws IOException {
    calls.setExtra(NodePath.of(node), name, value, create, replace);
  }

  public void removeExtra(long node, String name) throws IOException {
    calls.removeExtra(NodePath.of(node), name);
  }

  public List<String> listExtras(long node) throws IOException {
    return calls.listExtras(NodePath.of(node));
  }

  // Files.

  /** Opens an existing file; options that create files are ignored. */
  public ForebayFile open(long node, Collection<? extends OpenOption> options) throws IOException {
    return client.open(NodePath.of(node), OpenFlags.of(options).existing(), 0);
  }

  /**
   * Opens the file of that name and creates it if it does not exist. A symbolic link of that name
   * is refused with {@link ErrorCode#TOO_MANY_SYMLINKS}; the caller resolves it.
   */
  public ForebayFile create(
      long directory, String name, Collection<? extends OpenOption> options, int mode)
      throws IOException {
    NodePath at = NodePath.of(directory, name);
    OpenFlags flags = OpenFlags.of(options);
    for (int tries = 1; ; tries++) {
      try {
        // Creates the file exclusively: a server that found a link there would follow it.
        return client.open(at, flags.making(), mode);
      } catch (FileAlreadyExistsException e) {
        if (flags.exclusive() || tries == CREATE_TRIES_MAX) throw e;
      }
      try {
        FileStat found = calls.stat(at, false);
        if (found.kind() == FileStat.Kind.SYMLINK) throw new FileSystemLoopException(at.shown());
        return client.open(NodePath.of(found.number()), flags.existing(), 0);
      } catch (NoSuchFileException | FileRefusedException e) {
        // Removed, or replaced by another since it was found.
        ErrorCode code = Failures.codeOf(e);
        boolean gone = code == ErrorCode.NOT_FOUND || code == ErrorCode.STALE_HANDLE;
        if (!gone || tries == CREATE_TRIES_MAX) throw e;
      }
    }
  }

  /** How full the instance is. */
  public Usage usage() throws IOException {
    return calls.usage();
  }

  /** The room of the ring, for an instance without a capacity. */
  public RingRoom ringRoom() throws IOException {
    return calls.ringRoom();
  }
}
