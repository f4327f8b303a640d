package io.forebay.parallel;

/** One rank of the contract test under {@code mpirun}; see {@link MpiRanksTest}. */
final class MpiContractMain {
  private MpiContractMain() {}

  public static void main(String[] arguments) {
    boolean fails = arguments.length > 0;
    MpiRanks.run(
        2,
        world -> {
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

  private static void runOne(RankProgram program, Group world) {
    try {
      program.run(world);
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
