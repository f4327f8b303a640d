// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far ahead the kernel reads in a mount. */
final class ReadAhead {
  private static final Logger LOG = LoggerFactory.getLogger(ReadAhead.class);

  /** As much as one request may be; the kernel's own is an eighth of that. */
  private static final String KIBIBYTES = "1024";

  // Of a device's number in the C library.
  private static final int MINOR_BITS = 8;
  private static final int MINOR_MASK = 0xff;
  private static final int MAJOR_MASK = 0xfff;
  private static final int MINOR_HIGH_SHIFT = 12;

  private ReadAhead() {}

  /** Lets the kernel read in whole requests; where that is not allowed, it stays as it is. */
  static void enlarge(Path mounted) {
    try {
      long device = ((Number) Files.getAttribute(mounted, "unix:dev")).longValue();
      long major = (device >> MINOR_BITS) & MAJOR_MASK;
      long minor = (device & MINOR_MASK) | ((device >> MINOR_HIGH_SHIFT) & ~(long) MINOR_MASK);
      Path setting = Path.of("/sys/class/bdi/" + major + ":" + minor + "/read_ahead_kb");
      if (Files.isWritable(setting)) Files.writeString(setting, KIBIBYTES);
    } catch (IOException e) {
      LOG.debug("read-ahead stays as it is", e);
    }
  }
}
