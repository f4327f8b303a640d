package io.forebay.simulation.history;

/** A run of bytes that a read saw. */
record Sight(Operation read, long from, long to, long value) {}
