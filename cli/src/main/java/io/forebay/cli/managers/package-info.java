// SPDX-License-Identifier: Apache-2.0

/**
 * The commands about the managers of a cluster. Each command runs on the main thread. Start reading
 * at {@link io.forebay.cli.managers.ManagersCommand}.
 */
@NullMarked
package io.forebay.cli.managers;

import org.jspecify.annotations.NullMarked;
