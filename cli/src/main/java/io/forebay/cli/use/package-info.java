// SPDX-License-Identifier: Apache-2.0

/**
 * What instances have used and what their users may write: {@code usage} and {@code instance
 * protect}. On the main thread. Start reading at {@link io.forebay.cli.use.InstanceProtectCommand}.
 */
@NullMarked
package io.forebay.cli.use;

import org.jspecify.annotations.NullMarked;
