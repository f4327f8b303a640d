// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

/**
 * What is to be known of one file of a stage.
 *
 * @param path on the side that is copied from
 * @param failed whether it is not at its destination; else it is only a note
 * @param reason a sentence, with what helps
 */
public record StageProblem(String path, boolean failed, String reason) {}
