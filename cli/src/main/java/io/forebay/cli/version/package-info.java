// SPDX-License-Identifier: Apache-2.0

/**
 * What this program was built from. Entered by commands that print it. Any thread. Start reading at
 * {@link io.forebay.cli.version.BuildInfo}.
 */
@NullMarked
package io.forebay.cli.version;

import org.jspecify.annotations.NullMarked;
