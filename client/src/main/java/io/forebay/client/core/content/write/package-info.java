// SPDX-License-Identifier: Apache-2.0

/**
 * Writing: pieces of a file, the window that bounds them, and sending each to a group until it is
 * acknowledged. Entered by the packages of {@code client.core}. Pure; called by the client's loop
 * only. Start reading at {@link io.forebay.client.core.content.write.Writer}.
 */
@NullMarked
package io.forebay.client.core.content.write;

import org.jspecify.annotations.NullMarked;
