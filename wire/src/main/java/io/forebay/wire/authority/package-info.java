// SPDX-License-Identifier: Apache-2.0

/**
 * What a cluster's own CA and the processes that enrol with it agree on: the names in certificates,
 * the text of tokens, the proof that a process has the key of a certificate. It reads no clock and
 * touches no files; any thread may use it. Start reading at {@link
 * io.forebay.wire.authority.JoinToken}.
 */
@NullMarked
package io.forebay.wire.authority;

import org.jspecify.annotations.NullMarked;
