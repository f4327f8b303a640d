// SPDX-License-Identifier: Apache-2.0

/**
 * Shows what programs did through mounts and clients of this machine. One thread. Start reading at
 * {@link io.forebay.cli.profile.ProfileCommand}.
 */
@NullMarked
package io.forebay.cli.profile;

import org.jspecify.annotations.NullMarked;
