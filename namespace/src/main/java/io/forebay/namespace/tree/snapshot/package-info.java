// SPDX-License-Identifier: Apache-2.0

/**
 * A tree as items of a snapshot, written and read again. Entered by the group's snapshot only.
 * Belongs to its seat's loop. Start reading at {@link
 * io.forebay.namespace.tree.snapshot.TreeWriter}.
 */
@NullMarked
package io.forebay.namespace.tree.snapshot;

import org.jspecify.annotations.NullMarked;
