// SPDX-License-Identifier: Apache-2.0

/**
 * Small files that are stored together. A pack is a ZIP archive of stored members in a folder of
 * its own in the store, so that any ZIP tool can unpack it; it is written once and never changed.
 * Notes beside it record later renames and deletions of its members. Any thread. Start reading at
 * {@link io.forebay.backing.pack.PackedStore}, then {@link io.forebay.backing.pack.PackLayout} and
 * {@link io.forebay.backing.pack.PackCatalogue}.
 */
@NullMarked
package io.forebay.backing.pack;

import org.jspecify.annotations.NullMarked;
