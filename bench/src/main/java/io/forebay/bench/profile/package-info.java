// SPDX-License-Identifier: Apache-2.0

/**
 * What it costs to count what programs do with their files. Single-threaded; the mounts are in a
 * process of their own. Start reading at {@link io.forebay.bench.profile.ProfileBenchmark}.
 */
@NullMarked
package io.forebay.bench.profile;

import org.jspecify.annotations.NullMarked;
