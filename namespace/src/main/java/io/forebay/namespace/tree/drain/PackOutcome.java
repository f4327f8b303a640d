// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import java.util.List;

/**
 * The result of naming a pack.
 *
 * @param change the number of the change
 * @param contentTags the store's tags of its files, in their order
 * @param refused the files that did not get their names, because other programs' files have them
 */
public record PackOutcome(
    long change, boolean done, List<String> contentTags, List<Integer> refused) {}
