/** Checks what several clients saw against what Forebay promises. In the making. */
@NullMarked
package io.forebay.simulation.history;

import org.jspecify.annotations.NullMarked;
