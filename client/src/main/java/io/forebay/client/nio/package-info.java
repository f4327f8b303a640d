// SPDX-License-Identifier: Apache-2.0

/**
 * {@code java.nio.file} on an instance: with this module on the class path, {@code
 * Path.of(URI.create("forebay://127.0.0.1:7070/scratch/checkpoint"))} is a path like any other. Any
 * thread. Start reading at {@link io.forebay.client.nio.ForebayFileSystemProvider}.
 *
 * <p>These operations throw {@link java.lang.UnsupportedOperationException}: {@code FileChannel}
 * and with it mapping and locks, asynchronous channels ({@link io.forebay.client.ForebayFile} has
 * asynchronous operations of its own), watching, {@link java.nio.file.Path#toFile}. Users and
 * groups are numbers; their names are the digits. Other clients see written bytes once they are
 * published: when the channel is closed, or after each write with {@code SYNC} or {@code DSYNC}.
 */
@NullMarked
package io.forebay.client.nio;

import org.jspecify.annotations.NullMarked;
