// SPDX-License-Identifier: Apache-2.0

/**
 * The mounts that one node should have, and how they get there. Each is served by a process of its
 * own, which goes on when the process that started it ends.
 *
 * <p>Start reading at {@link io.forebay.mount.node.NodeMounts}.
 */
@NullMarked
package io.forebay.mount.node;

import org.jspecify.annotations.NullMarked;
