// SPDX-License-Identifier: Apache-2.0

/**
 * S3 and what speaks its language as a backing store. Every file is a multipart upload, which is
 * the only way to store an object that can be taken back for sure until it is complete. Any thread.
 * Start reading at {@link io.forebay.backing.s3.S3Store}.
 */
@NullMarked
package io.forebay.backing.s3;

import org.jspecify.annotations.NullMarked;
