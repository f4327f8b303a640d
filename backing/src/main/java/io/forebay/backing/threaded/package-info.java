// SPDX-License-Identifier: Apache-2.0

/**
 * An adapter from a blocking store to one that a loop can poll. Used by servers. A {@link
 * io.forebay.backing.threaded.ThreadedBacking} belongs to its loop; the store's work is done on
 * threads of its own. Start reading at {@link io.forebay.backing.threaded.ThreadedBacking}.
 */
@NullMarked
package io.forebay.backing.threaded;

import org.jspecify.annotations.NullMarked;
