// SPDX-License-Identifier: Apache-2.0

/**
 * The history of one file: the batches that were published, the possible times of each change, and
 * what reads saw at each place of the file. Entered by the checks of {@code history} only. One
 * thread. Start reading at {@link io.forebay.simulation.history.file.FileHistory}.
 */
@NullMarked
package io.forebay.simulation.history.file;

import org.jspecify.annotations.NullMarked;
