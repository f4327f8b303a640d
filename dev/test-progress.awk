# SPDX-License-Identifier: Apache-2.0
# Maven's output while tests run, reduced to what a person waits for: modules, failures, slow classes.
/^\[INFO\] Building Forebay/ {
  name = $0
  sub(/^\[INFO\] Building Forebay */, "", name)
  sub(/ *[0-9]+\.[0-9]+.*/, "", name)
  if (name != "") print "== " name
}
/^\[(INFO|WARNING|ERROR)\] +Tests run: .* -- in / {
  class = $NF
  bad = /FAILURE!|ERROR!/
  match($0, /Tests run: [0-9]+/)
  count = substr($0, RSTART + 11, RLENGTH - 11)
  match($0, /Time elapsed: [0-9.]+/)
  seconds = substr($0, RSTART + 14, RLENGTH - 14)
  printf "%s %4d  %6.1f s  %s\n", bad ? "FAILED" : "    ok", count, seconds, class
  fflush()
  failing = 0
}
# A failed test: its name, then its message and stack up to the next blank or [INFO] line.
/^\[ERROR\] .*(<<< FAILURE!|<<< ERROR!)/ && !/Tests run:/ { failing = 1; lines = 0 }
/^\[INFO\]/ || /^\[ERROR\] *$/ { failing = 0 }
failing && lines++ < 30 {
  line = $0
  sub(/^\[ERROR\] /, "", line)
  print "       " line
}
