// SPDX-License-Identifier: Apache-2.0

/**
 * A directory of any mounted file system as a backing store. Files are written under a name of
 * their own beside their final one and renamed. Directories are walked by open handles, so that no
 * user can redirect a write with a symbolic link. Any thread. Start reading at {@link
 * io.forebay.backing.posix.PosixStore}.
 */
@NullMarked
package io.forebay.backing.posix;

import org.jspecify.annotations.NullMarked;
