// SPDX-License-Identifier: Apache-2.0

/**
 * Which tree of an instance a client is led to. Pure; any thread. Start reading at {@link
 * io.forebay.ring.access.TreeNames}.
 */
@NullMarked
package io.forebay.ring.access;

import org.jspecify.annotations.NullMarked;
