// SPDX-License-Identifier: Apache-2.0

/**
 * Mounting and unmounting instances. Called by one thread. Start reading at {@link
 * io.forebay.cli.mount.MountCommand}.
 */
@NullMarked
package io.forebay.cli.mount;

import org.jspecify.annotations.NullMarked;
