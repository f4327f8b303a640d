// SPDX-License-Identifier: Apache-2.0

/**
 * What the other end of a connection has proved, and what a process believes of it: by a
 * certificate, or by the kernel about users of the same machine.
 *
 * <p>Values, which any thread may use. Networks and doors may enter. Start reading at {@link
 * io.forebay.wire.proof.Trust}.
 */
@NullMarked
package io.forebay.wire.proof;

import org.jspecify.annotations.NullMarked;
