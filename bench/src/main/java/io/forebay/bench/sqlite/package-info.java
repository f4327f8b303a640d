// SPDX-License-Identifier: Apache-2.0

/**
 * The mount with a database and other programs with small accesses, compared with a slow store:
 * inserts that are transactions, writes that are forced one by one, and random reads. The programs
 * and the file systems are processes of their own. Start reading at {@link
 * io.forebay.bench.sqlite.SqliteBenchmark}.
 */
@NullMarked
package io.forebay.bench.sqlite;

import org.jspecify.annotations.NullMarked;
