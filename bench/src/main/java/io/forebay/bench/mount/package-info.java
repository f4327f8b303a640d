// SPDX-License-Identifier: Apache-2.0

/**
 * The benchmark of the mount: large and small writes and reads through the kernel, next to the
 * client that the mount uses, a file system that only passes everything on, and the local disk.
 * Single-threaded; the mounts are in a process of their own. Start reading at {@link
 * io.forebay.bench.mount.MountBenchmark}.
 */
@NullMarked
package io.forebay.bench.mount;

import org.jspecify.annotations.NullMarked;
