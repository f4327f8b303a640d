// SPDX-License-Identifier: Apache-2.0

/**
 * Counts what programs do with their files, in bounded memory. Any thread may call {@link
 * io.forebay.client.profile.count.Profiler}; all other classes have one owner at a time. Start
 * reading at {@link io.forebay.client.profile.count.Profiler}.
 */
@NullMarked
package io.forebay.client.profile.count;

import org.jspecify.annotations.NullMarked;
