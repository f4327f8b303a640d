// SPDX-License-Identifier: Apache-2.0

/**
 * What applications use: files and key-value pairs of an instance ({@link
 * io.forebay.client.Forebay}) and the administration of a cluster ({@link
 * io.forebay.client.Cluster}). Any thread may call anything here; each connection owns one daemon
 * thread, on which futures complete, so code chained to them must not block. Start reading at
 * {@link io.forebay.client.Forebay}.
 *
 * <p>Values that calls take and return are in {@code file}, {@code host}, {@code checkpoint} and
 * {@code durability}; exceptions in {@code failure}.
 *
 * <p>Errors of file systems are thrown as the JDK's own exceptions, such as {@link
 * java.nio.file.NoSuchFileException}, or as {@link io.forebay.client.failure.FileRefusedException}
 * where the JDK has no class. Errors that only a cluster can report are thrown as {@link
 * io.forebay.client.failure.ForebayException}. {@link io.forebay.client.failure.Failures#codeOf}
 * gives the code behind any of them.
 */
@NullMarked
package io.forebay.client;

import org.jspecify.annotations.NullMarked;
