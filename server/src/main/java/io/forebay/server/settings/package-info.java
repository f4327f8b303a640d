// SPDX-License-Identifier: Apache-2.0

/**
 * Settings: one table of keys, from which the configuration file, the command line's options and
 * the documentation are derived. Immutable values, for any thread. Start reading at {@link
 * io.forebay.server.settings.Keys}.
 */
@NullMarked
package io.forebay.server.settings;

import org.jspecify.annotations.NullMarked;
