// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

/**
 * Calls of a change of the backing store that cannot be made twice: some may be on their way.
 *
 * @param change its number
 * @param process the only one that may have sent a call of it that is not over
 * @param waitedNanos for how long homes in other processes have waited for those calls, with leases
 *     of their own, so that none was sent meanwhile
 */
public record BackingCall(long change, long process, long waitedNanos) {}
