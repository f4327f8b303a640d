// SPDX-License-Identifier: Apache-2.0

/**
 * What is around a message on its way: the frame, and how two ends agree to talk. Pure; each {@link
 * io.forebay.wire.frame.Frames} has one owner. Start reading there.
 */
@NullMarked
package io.forebay.wire.frame;

import org.jspecify.annotations.NullMarked;
