// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.ForebayFile;
import io.forebay.client.Nodes;
import io.forebay.client.failure.Failures;
import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.FileStat;
import io.forebay.mount.fuse.operation.AttributeSetting;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Sets attributes at the kernel's request. Some requests do not come from a program directly but
 * follow from its actions, and the servers would refuse them to the program:
 *
 * <ol>
 *   <li>Times that the kernel cached with the writes to an open file: those writes were allowed.
 *   <li>A set-user-id or set-group-id bit that is cleared because another user writes or truncates
 *       the file.
 *   <li>touch(1) by a user with write permission who does not own the file: a kernel with a
 *       write-back cache sends its own modification time in place of "now".
 * </ol>
 *
 * <p>Each is tried only after the servers have refused the original request. Any thread.
 */
final class AttributeSetter {
  private static final int LENT_RIGHTS = 06000;

  private final Nodes nodes;
  private final KernelRights kernel;
  private final OpenFiles files;
  private final boolean writeback;

  AttributeSetter(KernelRights kernel, OpenFiles files, boolean writeback) {
    this.nodes = kernel.own();
    this.kernel = kernel;
    this.files = files;
    this.writeback = writeback;
  }

  /**
   * Sets attributes.
   *
   * @param handle the file handle of the request, or 0
   */
  FileStat set(Identity who, long node, long handle, AttributeSetting what) throws IOException {
    Target target = target(who, node, handle, what);
    try {
      return target.set(KernelView.change(what));
    } catch (IOException e) {
      if (Failures.codeOf(e) != ErrorCode.NOT_PERMITTED) throw e;
      FileStat set = instead(who, node, what, target);
      if (set == null) throw e;
      return set;
    }
  }

  /** The target of a change. */
  private interface Target {
    FileStat set(AttributeChange change) throws IOException;
  }

  private Target target(Identity who, long node, long handle, AttributeSetting what)
      throws IOException {
    // A program that has it open for writing may truncate it, regardless of its current mode.
    if (what.sizeBytes() != null && handle != 0) {
      ForebayFile file = files.get(handle).node().writable();
      return file::set;
    }
    boolean kernelsTimes = writeback && handle != 0 && what.mode() == null; // 1
    Nodes as = kernelsTimes ? kernel.to(node) : nodes.as(who);
    return change -> as.set(node, change);
  }

  /** Does what a refused request was meant to achieve; null if the refusal was right. */
  private @Nullable FileStat instead(Identity who, long node, AttributeSetting what, Target target)
      throws IOException {
    if (isKernelsTouch(what)) { // 3
      return target.set(new AttributeChange().noFollow().touch().touchAccess());
    }
    Integer mode = what.mode();
    if (mode == null || what.user() != null || what.group() != null) return null;
    if (!onlyDropsLentRights(nodes.as(who).stat(node).mode(), mode)) return null; // 2
    // To truncate drops the bits anyway.
    if (what.sizeBytes() != null) return target.set(KernelView.change(withoutMode(what)));
    if (!mayWrite(who, node)) return null;
    AttributeChange dropped = new AttributeChange().noFollow().mode(mode & FileStat.MODE_BITS);
    return kernel.to(node).set(node, dropped);
  }

  private boolean isKernelsTouch(AttributeSetting what) {
    AttributeSetting.Time access = what.accessTime();
    AttributeSetting.Time modify = what.modifyTime();
    return writeback
        && access != null
        && access.instant() == null
        && modify != null
        && what.mode() == null
        && what.user() == null
        && what.group() == null
        && what.sizeBytes() == null;
  }

  static boolean onlyDropsLentRights(int present, int wanted) {
    int dropped = present & FileStat.MODE_BITS & ~wanted;
    int added = wanted & FileStat.MODE_BITS & ~present;
    return added == 0 && (dropped & ~LENT_RIGHTS) == 0;
  }

  /** A file that was opened for writing may be written, regardless of its current mode. */
  private boolean mayWrite(Identity who, long node) throws IOException {
    NodeFile open = files.find(node);
    if (open != null && open.isWritable()) return true;
    nodes.as(who).access(node, Names.MAY_WRITE);
    return true;
  }

  private static AttributeSetting withoutMode(AttributeSetting what) {
    return new AttributeSetting(
        null, what.user(), what.group(), what.sizeBytes(), what.accessTime(), what.modifyTime());
  }
}
