// SPDX-License-Identifier: Apache-2.0

/**
 * What every backing store promises, as cases that run against any of them: the tests of each store
 * run them, and operators can run them against their own store. One thread at a time. Start reading
 * at {@link io.forebay.backing.contract.BackingContract}.
 */
@NullMarked
package io.forebay.backing.contract;

import org.jspecify.annotations.NullMarked;
