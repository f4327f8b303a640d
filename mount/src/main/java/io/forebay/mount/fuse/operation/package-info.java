// SPDX-License-Identifier: Apache-2.0

/**
 * The interface that a file system implements to be mounted, and the values of requests and
 * answers. For the mount and for other file systems; knows nothing of libfuse. Methods are called
 * by any thread of a session. Start reading at {@link
 * io.forebay.mount.fuse.operation.FuseOperations}.
 */
@NullMarked
package io.forebay.mount.fuse.operation;

import org.jspecify.annotations.NullMarked;
