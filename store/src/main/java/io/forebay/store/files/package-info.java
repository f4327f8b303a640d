// SPDX-License-Identifier: Apache-2.0

/**
 * Files kept on one store alone: a directory for each, journalled in the store's own log. Called by
 * the store's owner only. Start reading at {@link io.forebay.store.files.LocalFiles}.
 */
@NullMarked
package io.forebay.store.files;

import org.jspecify.annotations.NullMarked;
