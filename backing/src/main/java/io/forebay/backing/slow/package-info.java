// SPDX-License-Identifier: Apache-2.0

/**
 * The slow profile: slows any store down to a fixed, named device, so that demonstrations and
 * measurements are comparable everywhere. Any thread. Start reading at {@link
 * io.forebay.backing.slow.SlowStore}.
 */
@NullMarked
package io.forebay.backing.slow;

import org.jspecify.annotations.NullMarked;
