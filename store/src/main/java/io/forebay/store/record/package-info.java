// SPDX-License-Identifier: Apache-2.0

/**
 * The interface between a record's owner and the store: the required safety ({@link
 * io.forebay.store.record.Level}), and the results of a commit, a wait and a read. Values and
 * callbacks only, for all owners of a store and for the store itself. Callbacks come on the owner's
 * thread. Start reading at {@link io.forebay.store.record.Commit}.
 */
@NullMarked
package io.forebay.store.record;

import org.jspecify.annotations.NullMarked;
