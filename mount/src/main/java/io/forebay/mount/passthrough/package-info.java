// SPDX-License-Identifier: Apache-2.0

/**
 * Another directory as a file system, through the binding and nothing else: the baseline of
 * benchmarks and tests for the mount. Start reading at {@link
 * io.forebay.mount.passthrough.PassThroughMount}.
 */
@NullMarked
package io.forebay.mount.passthrough;

import org.jspecify.annotations.NullMarked;
