// SPDX-License-Identifier: Apache-2.0

/**
 * The slow profile: any store made as slow as a fixed, named device, so that demonstrations and
 * measurements mean the same everywhere. Any thread. Start reading at {@link
 * io.forebay.backing.slow.SlowStore}.
 */
@NullMarked
package io.forebay.backing.slow;

import org.jspecify.annotations.NullMarked;
