/** In the making. */
@NullMarked
package io.forebay.simulation;

import org.jspecify.annotations.NullMarked;
