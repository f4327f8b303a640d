// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

/** One rank of the contract test under {@code mpirun}; see {@link MpiRanksTest}. */
final class MpiContractMain {
  static final int NULL_POINTERS = 100_000;

  private MpiContractMain() {}

  public static void main(String[] arguments) {
    String task = arguments.length > 0 ? arguments[0] : "";
    boolean fails = task.equals("fail");
    MpiRanks.run(
        2,
        world -> {
          if (task.equals("null")) {
            System.out.println("null pointers caught: " + nullPointers());
            return;
          }
          if (fails) {
            if (world.rank() == 1) throw new IllegalStateException("the disk is on fire");
            world.barrier();
            return;
          }
          GroupContract.programs()
              .forEach(
                  (name, program) -> {
                    runOne(program, world);
                    if (world.rank() == 0) System.out.println("done: " + name);
                  });
        });
  }

  /** Compiled code does not compare with null: it lets the processor find out. */
  private static int nullPointers() {
    int caught = 0;
    for (int i = 0; i < NULL_POINTERS; i++) {
      try {
        length(i < NULL_POINTERS / 2 ? "text" : null);
      } catch (NullPointerException e) {
        caught++;
      }
    }
    return caught;
  }

  private static int length(String text) {
    return text.length();
  }

  private static void runOne(RankProgram program, Group world) {
    try {
      program.run(world);
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
