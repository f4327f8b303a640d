// SPDX-License-Identifier: Apache-2.0

/**
 * Fuzzing of code that reads bytes from outside. A test names its target and a few valid inputs; in
 * the suite it plays a corpus and changed copies of it, and by command ({@code dev/fuzz}) it lets
 * Jazzer look for inputs that reach new code. One thread per run. Start reading at {@link
 * io.forebay.testing.fuzz.FuzzRun}.
 */
@NullMarked
package io.forebay.testing.fuzz;

import org.jspecify.annotations.NullMarked;
