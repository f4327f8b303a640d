// SPDX-License-Identifier: Apache-2.0

/**
 * Counts what programs do through a mount: {@link io.forebay.mount.profile.ProfiledOperations}
 * stands before the operations of the mount and takes the time of each. Any thread. Start reading
 * at {@link io.forebay.mount.profile.MountProfile}.
 */
@NullMarked
package io.forebay.mount.profile;

import org.jspecify.annotations.NullMarked;
