// SPDX-License-Identifier: Apache-2.0

/**
 * Functions of libfuse3 and libc, and the layouts of their structures. Entered by the session's
 * package; {@link io.forebay.mount.fuse.library.FuseUnavailable} is for all callers that mount. Any
 * thread. Start reading at {@link io.forebay.mount.fuse.library.LibFuse}.
 */
@NullMarked
package io.forebay.mount.fuse.library;

import org.jspecify.annotations.NullMarked;
