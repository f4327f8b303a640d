// SPDX-License-Identifier: Apache-2.0

/**
 * Which names are checkpoints of one program, and their order: used to keep recent checkpoints in
 * the buffer, and to find one for a restart. Pure; any thread. Start reading at {@link
 * io.forebay.base.series.Series}.
 */
@NullMarked
package io.forebay.base.series;

import org.jspecify.annotations.NullMarked;
