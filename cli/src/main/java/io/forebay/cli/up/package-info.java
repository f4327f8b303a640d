// SPDX-License-Identifier: Apache-2.0

/**
 * The command {@code forebay up}: a whole cluster in this process, optionally with a mount of it.
 * Each command runs on the main thread. Start reading at {@link io.forebay.cli.up.UpCommand}.
 */
@NullMarked
package io.forebay.cli.up;

import org.jspecify.annotations.NullMarked;
