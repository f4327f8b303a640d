// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

/**
 * A failure or a note about one file of a stage.
 *
 * @param path on the source side
 * @param failed whether it is not at its destination; else it is only a note
 * @param reason a sentence, with the remedy
 */
public record StageProblem(String path, boolean failed, String reason) {}
