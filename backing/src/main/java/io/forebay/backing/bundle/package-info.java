// SPDX-License-Identifier: Apache-2.0

/**
 * Small files that are stored together. A bundle is a ZIP archive of stored members in a folder of
 * its own in the store, so that anybody can unpack it; it is written once and never changed. What
 * becomes of its members afterwards, other names or none, is told by notes beside it. Any thread.
 * Start reading at {@link io.forebay.backing.bundle.BundledStore}, then {@link
 * io.forebay.backing.bundle.BundleLayout} and {@link io.forebay.backing.bundle.BundleCatalogue}.
 */
@NullMarked
package io.forebay.backing.bundle;

import org.jspecify.annotations.NullMarked;
