// SPDX-License-Identifier: Apache-2.0

/**
 * The state of one group's journal, as one deterministic state machine: the trees of the group with
 * names, file contents, key-value pairs, sessions and room. No clock, no randomness, no threads:
 * two replicas that apply the same entries are equal. Belongs to its seat's loop. Start reading at
 * {@link io.forebay.namespace.GroupState}.
 */
@NullMarked
package io.forebay.namespace;

import org.jspecify.annotations.NullMarked;
