// SPDX-License-Identifier: Apache-2.0

/**
 * Tombstones and clean marks: the records that they name, which marks are still needed, and whether
 * a late record is already dead. Entered by the store's packages only. Called by the store's owner
 * only. Start reading at {@link io.forebay.store.mark.Marks}.
 */
@NullMarked
package io.forebay.store.mark;

import org.jspecify.annotations.NullMarked;
