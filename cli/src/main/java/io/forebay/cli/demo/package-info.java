/**
 * What {@code forebay demo} does, without what it prints: a burst into a store that a process of
 * its own holds, its recovery after that process was killed, and the same bytes written straight to
 * disk. Each class is used by one thread. Start reading at {@link io.forebay.cli.demo.DemoPlan},
 * then {@link io.forebay.cli.demo.BurstHolder}.
 */
@NullMarked
package io.forebay.cli.demo;

import org.jspecify.annotations.NullMarked;
