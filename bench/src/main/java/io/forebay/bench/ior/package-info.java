// SPDX-License-Identifier: Apache-2.0

/**
 * IOR's workload under IOR's own names: tasks that write and read one shared file or a file each,
 * to a directory or to an instance, as threads or as processes. Each object belongs to one thread
 * unless it says otherwise. Start reading at {@link io.forebay.bench.ior.IorRun}.
 */
@NullMarked
package io.forebay.bench.ior;

import org.jspecify.annotations.NullMarked;
