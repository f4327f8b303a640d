// SPDX-License-Identifier: Apache-2.0

/**
 * The files of a run of IOR, in a directory or in an instance. Entered by the ranks, and by other
 * programs that need the same files. Each object belongs to one thread. Start reading at {@link
 * io.forebay.bench.ior.file.TestFiles}.
 */
@NullMarked
package io.forebay.bench.ior.file;

import org.jspecify.annotations.NullMarked;
