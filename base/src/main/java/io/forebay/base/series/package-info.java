// SPDX-License-Identifier: Apache-2.0

/**
 * Which names are checkpoints of one program, and in which order they came: what is kept longest in
 * the buffer, and what a restart looks for. Pure; any thread. Start reading at {@link
 * io.forebay.base.series.Series}.
 */
@NullMarked
package io.forebay.base.series;

import org.jspecify.annotations.NullMarked;
