/** In the making. */
@NullMarked
package io.forebay.seat;

import org.jspecify.annotations.NullMarked;
