// SPDX-License-Identifier: Apache-2.0

/**
 * What tests of all modules share; no product code uses it. Any thread may call it. Start reading
 * at {@link io.forebay.testing.TestSeed}.
 */
@NullMarked
package io.forebay.testing;

import org.jspecify.annotations.NullMarked;
