// SPDX-License-Identifier: Apache-2.0

/**
 * The history of one file: what was published in which batches, when each change can have happened,
 * and what of it each place of the file was read as. Entered by the checks of {@code history} only.
 * One thread. Start reading at {@link io.forebay.simulation.history.file.FileHistory}.
 */
@NullMarked
package io.forebay.simulation.history.file;

import org.jspecify.annotations.NullMarked;
