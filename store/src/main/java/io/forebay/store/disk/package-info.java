// SPDX-License-Identifier: Apache-2.0

/**
 * A flat directory of fixed-size files behind one asynchronous interface: a real directory ({@link
 * io.forebay.store.disk.FileDisk}), plain memory ({@link io.forebay.store.disk.MemoryDisk}), and a
 * simulated device that fails, reorders and loses power ({@link io.forebay.store.disk.FaultyDisk}).
 * A disk belongs to one thread, which alone submits, polls and closes; internal threads of a disk
 * call back only through the given wake-up. Start reading at {@link io.forebay.store.disk.Disk}.
 */
@NullMarked
package io.forebay.store.disk;

import org.jspecify.annotations.NullMarked;
