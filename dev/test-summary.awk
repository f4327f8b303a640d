# SPDX-License-Identifier: Apache-2.0
# Surefire's XML reports: lists skipped tests with the reason, which says how to enable them, and
# closes with the counts. Ends with status 1 if a test failed.
function attribute(name,    value) {
  if (!match($0, " " name "=\"[^\"]*\"")) return ""
  value = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
  gsub(/&#10;/, " ", value); gsub(/&lt;/, "<", value); gsub(/&gt;/, ">", value)
  gsub(/&quot;/, "\"", value); gsub(/&apos;/, "'", value); gsub(/&amp;/, "\\&", value)
  return value
}
/<testsuite / {
  tests += attribute("tests"); failed += attribute("failures") + attribute("errors")
  skipped += attribute("skipped")
}
/<testcase / { test = attribute("classname") "." attribute("name") }
/<skipped/ {
  if (!listed++) print "Skipped:"
  reason = attribute("message")
  # An assumption's message is not in an attribute but at the head of its stack trace.
  if (reason == "" && sub(/.*Assumption failed: */, "")) reason = $0
  print "  " test ": " (reason == "" ? "no reason given" : reason)
}
END {
  if (listed) print "Optional tests may need packages: 'dev/optional-packages' installs them all."
  printf "%d passed, %d failed, %d skipped\n", tests - failed - skipped, failed, skipped
  exit failed > 0
}
