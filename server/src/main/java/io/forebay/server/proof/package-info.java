// SPDX-License-Identifier: Apache-2.0

/**
 * Users proved by services of the machine: MUNGE, and the names and groups of users. All of it may
 * block for long, on a network too, so a loop must not call it. Start reading at {@link
 * io.forebay.server.proof.CredentialCheck}.
 */
@NullMarked
package io.forebay.server.proof;

import org.jspecify.annotations.NullMarked;
