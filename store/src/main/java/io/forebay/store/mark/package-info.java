// SPDX-License-Identifier: Apache-2.0

/**
 * Tombstones and clean marks: which records they name, which of them are still needed, and whether
 * a record that arrives late is dead already. Entered by the store's packages only. Called by the
 * store's owner only. Start reading at {@link io.forebay.store.mark.Marks}.
 */
@NullMarked
package io.forebay.store.mark;

import org.jspecify.annotations.NullMarked;
