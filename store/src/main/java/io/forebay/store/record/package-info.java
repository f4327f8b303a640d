// SPDX-License-Identifier: Apache-2.0

/**
 * How a record's owner and the store speak about it: how safe it is to become ({@link
 * io.forebay.store.record.Level}), how a commit, a wait and a read can end. Values and callbacks
 * only, for all owners of a store and for the store itself. Callbacks come on the owner's thread.
 * Start reading at {@link io.forebay.store.record.Commit}.
 */
@NullMarked
package io.forebay.store.record;

import org.jspecify.annotations.NullMarked;
