// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

/**
 * Non-idempotent calls of a change of the backing store: some may be in flight.
 *
 * @param change the number of the change
 * @param process the only process that may have sent a call that is still pending
 * @param waitedNanos for how long homes in other processes have waited for those calls while
 *     holding leases themselves, so that none was sent during that time
 */
public record BackingCall(long change, long process, long waitedNanos) {}
