// SPDX-License-Identifier: Apache-2.0

/**
 * The instances that have ended, in a form that stays small. Any thread. Start reading at {@link
 * io.forebay.ring.ended.EndedInstances}.
 */
@NullMarked
package io.forebay.ring.ended;

import org.jspecify.annotations.NullMarked;
