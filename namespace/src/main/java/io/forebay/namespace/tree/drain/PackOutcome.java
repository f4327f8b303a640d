// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import java.util.List;

/**
 * How the naming of a pack went.
 *
 * @param change the number of the change
 * @param contentTags what the store calls the contents of its files, in their order
 * @param refused which of them did not get their names, since somebody else's files have them
 */
public record PackOutcome(
    long change, boolean done, List<String> contentTags, List<Integer> refused) {}
