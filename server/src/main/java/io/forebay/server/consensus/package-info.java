// SPDX-License-Identifier: Apache-2.0

/**
 * How a manager gets the library that lets several managers agree: loaded from its own folder, only
 * where several are configured. Any thread. Start reading at {@link
 * io.forebay.server.consensus.ConsensusProvider}.
 */
@NullMarked
package io.forebay.server.consensus;

import org.jspecify.annotations.NullMarked;
