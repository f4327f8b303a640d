// SPDX-License-Identifier: Apache-2.0

/**
 * Commands for what an instance holds: files, as their namesakes in the shell treat them, and
 * key-value pairs. Each runs on the main thread. Start reading at {@link
 * io.forebay.cli.files.CopyCommand}.
 */
@NullMarked
package io.forebay.cli.files;

import org.jspecify.annotations.NullMarked;
