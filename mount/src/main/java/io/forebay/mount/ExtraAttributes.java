// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.Nodes;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.mount.fuse.operation.FuseOperations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The extra attributes that a mount supports. Any thread. */
final class ExtraAttributes {
  private static final int CREATE = 1;
  private static final int REPLACE = 2;

  /** Names that programs may choose; all others mean something to kernels. */
  private static final String PREFIX = "user.";

  private static final String SECURITY_PREFIX = "security.";

  /** At the root: the process that ends with the mount. */
  private static final String PROCESS = "user.forebay.mount.process";

  private final MountSettings settings;

  ExtraAttributes(MountSettings settings) {
    this.settings = settings;
  }

  void set(Nodes nodes, long number, String name, byte[] value, int flags) throws IOException {
    require(name);
    nodes.setExtra(number, name, value, (flags & CREATE) != 0, (flags & REPLACE) != 0);
  }

  /** A value that needs no request, or null. */
  byte @Nullable [] known(long node, String name) throws ErrnoException {
    if (node == FuseOperations.ROOT && name.equals(PROCESS)) {
      return Long.toString(settings.process()).getBytes(StandardCharsets.US_ASCII);
    }
    if (!settings.extras()) throw new ErrnoException(Errno.ENOSYS);
    // The kernel asks for one of these before every write.
    if (name.startsWith(SECURITY_PREFIX)) throw new ErrnoException(Errno.ENODATA);
    require(name);
    return null;
  }

  byte[] get(Nodes nodes, long number, String name) throws IOException {
    return nodes.getExtra(number, name);
  }

  List<String> list(Nodes nodes, long number) throws IOException {
    if (!settings.extras()) throw new ErrnoException(Errno.ENOSYS);
    return nodes.listExtras(number);
  }

  void remove(Nodes nodes, long number, String name) throws IOException {
    require(name);
    nodes.removeExtra(number, name);
  }

  private void require(String name) throws ErrnoException {
    if (!settings.extras()) throw new ErrnoException(Errno.ENOSYS);
    if (!name.startsWith(PREFIX)) throw new ErrnoException(Errno.EOPNOTSUPP);
  }
}
