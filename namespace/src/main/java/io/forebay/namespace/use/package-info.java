// SPDX-License-Identifier: Apache-2.0

/**
 * How much of each instance's data has gone through a group, counted in the group's journal, so
 * that restarts and takeovers do not forget it. Called by the seat's loop only.
 *
 * <p>Start reading at {@link io.forebay.namespace.use.InstanceUses}.
 */
@NullMarked
package io.forebay.namespace.use;

import org.jspecify.annotations.NullMarked;
