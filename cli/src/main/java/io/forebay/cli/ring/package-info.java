/**
 * Rings of real processes on this machine, for commands that show or test what becomes of them: a
 * manager and servers that are started, killed, stopped and started again, and the directories they
 * live in. Start reading at {@link io.forebay.cli.ring.LocalRing}.
 */
@NullMarked
package io.forebay.cli.ring;

import org.jspecify.annotations.NullMarked;
