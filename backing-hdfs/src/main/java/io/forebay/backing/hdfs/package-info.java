// SPDX-License-Identifier: Apache-2.0

/**
 * HDFS as a backing store. A file has one writer, which only appends; whole files are put under
 * their names by a rename that replaces in one step. Any thread. Start reading at {@link
 * io.forebay.backing.hdfs.HdfsStore}.
 */
@NullMarked
package io.forebay.backing.hdfs;

import org.jspecify.annotations.NullMarked;
