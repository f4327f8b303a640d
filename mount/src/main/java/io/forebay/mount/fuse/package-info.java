// SPDX-License-Identifier: Apache-2.0

/**
 * Our binding to libfuse3, and the only place that touches native memory for the mount: structures,
 * functions, the session with its threads. A file system implements {@link
 * io.forebay.mount.fuse.operation.FuseOperations}, whose methods are called by any thread of the
 * session, as many at once as the kernel has requests.
 *
 * <p>Start reading at {@link io.forebay.mount.fuse.FuseSession}.
 */
@NullMarked
package io.forebay.mount.fuse;

import org.jspecify.annotations.NullMarked;
