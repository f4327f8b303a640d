// SPDX-License-Identifier: Apache-2.0

/**
 * Directories held by descriptors, and the rights of the user for whom a server touches them. Used
 * by directory stores and by staging. Any thread. Start reading at {@link
 * io.forebay.backing.held.Pinned}.
 */
@NullMarked
package io.forebay.backing.held;

import org.jspecify.annotations.NullMarked;
