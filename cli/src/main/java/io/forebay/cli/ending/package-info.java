// SPDX-License-Identifier: Apache-2.0

/**
 * What the end of an instance waits for, for the commands that show it. Called by the thread of a
 * command. Start reading at {@link io.forebay.cli.ending.EndWatch}.
 */
@NullMarked
package io.forebay.cli.ending;

import org.jspecify.annotations.NullMarked;
