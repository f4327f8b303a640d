// SPDX-License-Identifier: Apache-2.0

/**
 * Instances as file systems: each request of the kernel becomes calls of the client, by numbers of
 * nodes, which are the same on both sides. Any thread; the session's threads handle requests.
 *
 * <p>Start reading at {@link io.forebay.mount.ForebayMount}, then {@link
 * io.forebay.mount.InstanceOperations}.
 */
@NullMarked
package io.forebay.mount;

import org.jspecify.annotations.NullMarked;
