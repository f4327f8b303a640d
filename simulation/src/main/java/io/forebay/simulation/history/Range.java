package io.forebay.simulation.history;

/** A range of a file's bytes. */
record Range(long from, long to) {
  @Override
  public String toString() {
    return "[" + from + ", " + to + ")";
  }
}
