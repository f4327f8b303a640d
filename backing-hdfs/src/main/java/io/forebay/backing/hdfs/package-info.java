// SPDX-License-Identifier: Apache-2.0

/**
 * HDFS as a backing store. A file has one writer, which only appends; complete files get their
 * names by an atomic, replacing rename. Any thread. Start reading at {@link
 * io.forebay.backing.hdfs.HdfsStore}.
 */
@NullMarked
package io.forebay.backing.hdfs;

import org.jspecify.annotations.NullMarked;
