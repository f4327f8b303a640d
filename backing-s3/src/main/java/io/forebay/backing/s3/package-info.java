// SPDX-License-Identifier: Apache-2.0

/**
 * S3 and compatible stores as a backing store. Every file is a multipart upload, the only kind of
 * object that can be reliably aborted until it is complete. Any thread. Start reading at {@link
 * io.forebay.backing.s3.S3Store}.
 */
@NullMarked
package io.forebay.backing.s3;

import org.jspecify.annotations.NullMarked;
