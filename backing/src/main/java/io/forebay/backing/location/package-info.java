// SPDX-License-Identifier: Apache-2.0

/**
 * Addresses of backing stores, and which of them a process may open. For code that opens or
 * implements a store. Any thread. Start reading at {@link
 * io.forebay.backing.location.BackingLocation}.
 */
@NullMarked
package io.forebay.backing.location;

import org.jspecify.annotations.NullMarked;
