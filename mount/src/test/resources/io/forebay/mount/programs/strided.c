/* Ranks write one file through strided views, all together, and check what others wrote. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUN = 1000, RUNS = 200 };

static long word(int rank, int i) { return ((long)rank << 32) | (7 + i); }

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void view(MPI_File file, int rank, int ranks, MPI_Datatype *strided) {
  MPI_Type_vector(RUNS, RUN, RUN * ranks, MPI_LONG, strided);
  MPI_Type_commit(strided);
  MPI_Offset start = (MPI_Offset)rank * RUN * sizeof(long);
  require(MPI_File_set_view(file, start, MPI_LONG, *strided, "native", MPI_INFO_NULL) == 0, "view");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
  require(MPI_File_open(MPI_COMM_WORLD, argv[1], mode, MPI_INFO_NULL, &file) == 0, "open");

  long *words = malloc(sizeof(long) * RUN * RUNS);
  for (int i = 0; i < RUN * RUNS; i++) words[i] = word(rank, i);
  MPI_Datatype mine, theirs;
  view(file, rank, ranks, &mine);
  require(MPI_File_write_all(file, words, RUN * RUNS, MPI_LONG, MPI_STATUS_IGNORE) == 0, "write");
  require(MPI_File_sync(file) == 0, "sync");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);

  int other = (rank + 1) % ranks;
  view(file, other, ranks, &theirs);
  require(MPI_File_read_all(file, words, RUN * RUNS, MPI_LONG, MPI_STATUS_IGNORE) == 0, "read");
  for (int i = 0; i < RUN * RUNS; i++) require(words[i] == word(other, i), "wrong word");

  MPI_Offset size;
  MPI_File_get_size(file, &size);
  require(size == (MPI_Offset)ranks * RUN * RUNS * (MPI_Offset)sizeof(long), "wrong size");
  MPI_File_close(&file);
  if (rank == 0) printf("%d ranks: right\n", ranks);
  MPI_Finalize();
  return 0;
}
