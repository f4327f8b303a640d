// SPDX-License-Identifier: Apache-2.0

/**
 * Copying between the local file system and instances. Entered by the commands of {@code files}.
 * Runs on the main thread. Start reading at {@link io.forebay.cli.files.copy.Copying}.
 */
@NullMarked
package io.forebay.cli.files.copy;

import org.jspecify.annotations.NullMarked;
