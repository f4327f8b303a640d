/*
 * Writes a pattern with PnetCDF's blocking collective calls: the same requests with the same elements
 * as the benchmark of 'forebay bench netcdf', to compare files and rates. The benchmark compiles it with
 * mpicc and runs it with mpirun: pattern SCRIPT DIRECTORY [LOGS]. With LOGS, a directory, PnetCDF's
 * burst-buffer driver writes logs there first; where the library has none it prints "no burst buffer".
 * The script lists files; each is
 *
 *   NAME FORMAT DIMENSIONS VARIABLES PUTS
 *   dimensions:  NAME LENGTH
 *   variables:   NAME TYPE COUNT dimension...
 *   puts, of rank 0, then of rank 1, and so on:  VARIABLE start... count...
 *
 * FORMAT is the last byte of the format's magic number: 1, 2 or 5. It prints the nanoseconds from the
 * first file's creation until the last one is closed, and how many of them files were created and defined.
 */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 256
#define DIMENSIONS_MAX 8
#define PERIOD 4093
#define RANK_FACTOR 4096

typedef struct {
  char name[NAME_MAX_BYTES];
  nc_type type;
  int count;
  int along[DIMENSIONS_MAX];
} variable_t;

typedef struct {
  int variable;
  MPI_Offset start[DIMENSIONS_MAX], count[DIMENSIONS_MAX], elements;
} put_t;

typedef struct {
  char name[NAME_MAX_BYTES];
  int format, dimensions, variables, puts;
  char (*dimension_names)[NAME_MAX_BYTES];
  MPI_Offset *lengths;
  variable_t *held;
  put_t *put;
} file_t;

static int rank, ranks;
static MPI_Info info = MPI_INFO_NULL;
static void *rows[NC_DOUBLE + 1];
static MPI_Offset longest[NC_DOUBLE + 1];
/* Requests are numbered over all files: elements begin at the index of the number. */
static int all_puts, puts_done;
static double create_seconds;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "pattern: %s: %s\n", what, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

static void check(int status, const char *what) {
  if (status != NC_NOERR) fail(what, ncmpi_strerror(status));
}

static void *room(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) fail("memory", "there is none");
  return memory;
}

static void expect(int found, int wanted) {
  if (found != wanted) fail("script", "it makes no sense");
}

static size_t size_of(nc_type type) {
  return type == NC_BYTE ? 1 : type == NC_DOUBLE ? sizeof(double) : sizeof(int);
}

static void read_puts(FILE *script, file_t *file) {
  int r, i, d;
  file->put = room(file->puts * sizeof(put_t));
  for (r = 0; r < ranks; r++) {
    for (i = 0; i < file->puts; i++) {
      put_t put;
      variable_t *held;
      expect(fscanf(script, "%d", &put.variable), 1);
      held = &file->held[put.variable];
      put.elements = 1;
      for (d = 0; d < held->count; d++) expect(fscanf(script, "%lld", &put.start[d]), 1);
      for (d = 0; d < held->count; d++) {
        expect(fscanf(script, "%lld", &put.count[d]), 1);
        put.elements *= put.count[d];
      }
      if (r != rank) continue;
      file->put[i] = put;
      if (put.elements > longest[held->type]) longest[held->type] = put.elements;
    }
  }
}

static int read_file(FILE *script, file_t *file) {
  int i, d;
  int found =
      fscanf(
          script, "%255s %d %d %d %d", file->name, &file->format, &file->dimensions, &file->variables,
          &file->puts);
  if (found == EOF) return 0;
  expect(found, 5);
  file->dimension_names = room(file->dimensions * (size_t)NAME_MAX_BYTES);
  file->lengths = room(file->dimensions * sizeof(MPI_Offset));
  for (i = 0; i < file->dimensions; i++) {
    expect(fscanf(script, "%255s %lld", file->dimension_names[i], &file->lengths[i]), 2);
  }
  file->held = room(file->variables * sizeof(variable_t));
  for (i = 0; i < file->variables; i++) {
    variable_t *held = &file->held[i];
    expect(fscanf(script, "%255s %d %d", held->name, &held->type, &held->count), 3);
    if (held->count > DIMENSIONS_MAX || held->type > NC_DOUBLE) fail("script", "too much");
    for (d = 0; d < held->count; d++) expect(fscanf(script, "%d", &held->along[d]), 1);
  }
  read_puts(script, file);
  all_puts += file->puts;
  return 1;
}

static void make_rows(void) {
  int type;
  for (type = 0; type <= NC_DOUBLE; type++) {
    MPI_Offset k;
    if (longest[type] == 0) continue;
    longest[type] += all_puts;
    rows[type] = room(longest[type] * size_of(type));
    for (k = 0; k < longest[type]; k++) {
      int number = rank * RANK_FACTOR + (int)(k % PERIOD);
      if (type == NC_BYTE) ((signed char *)rows[type])[k] = (signed char)(number + rank);
      else if (type == NC_INT) ((int *)rows[type])[k] = number;
      else if (type == NC_FLOAT) ((float *)rows[type])[k] = (float)number;
      else if (type == NC_DOUBLE) ((double *)rows[type])[k] = number;
      else fail("script", "no such type");
    }
  }
}

static MPI_Datatype in_memory(nc_type type) {
  switch (type) {
    case NC_BYTE: return MPI_SIGNED_CHAR;
    case NC_INT: return MPI_INT;
    case NC_FLOAT: return MPI_FLOAT;
    default: return MPI_DOUBLE;
  }
}

static int mode_of(int format) {
  return format == 5 ? NC_64BIT_DATA : format == 2 ? NC_64BIT_OFFSET : 0;
}

static void write_file(const file_t *file, const char *directory) {
  char path[4096];
  int i, d, id;
  int *dimensions = room(file->dimensions * sizeof(int));
  int *variables = room(file->variables * sizeof(int));
  double start = MPI_Wtime();
  snprintf(path, sizeof(path), "%s/%s", directory, file->name);
  check(
      ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | mode_of(file->format), info, &id), path);
  for (i = 0; i < file->dimensions; i++) {
    check(
        ncmpi_def_dim(id, file->dimension_names[i], file->lengths[i], &dimensions[i]),
        file->dimension_names[i]);
  }
  for (i = 0; i < file->variables; i++) {
    const variable_t *held = &file->held[i];
    int along[DIMENSIONS_MAX];
    for (d = 0; d < held->count; d++) along[d] = dimensions[held->along[d]];
    check(ncmpi_def_var(id, held->name, held->type, held->count, along, &variables[i]), held->name);
  }
  check(ncmpi_enddef(id), path);
  create_seconds += MPI_Wtime() - start;
  for (i = 0; i < file->puts; i++) {
    const put_t *put = &file->put[i];
    nc_type type = file->held[put->variable].type;
    const char *elements = (const char *)rows[type] + puts_done++ * size_of(type);
    check(
        ncmpi_put_vara_all(
            id, variables[put->variable], put->start, put->count, elements, put->elements,
            in_memory(type)),
        path);
  }
  check(ncmpi_close(id), path);
  free(dimensions);
  free(variables);
}

static int burst_buffer(const char *logs) {
#if defined(PNETCDF_BURST_BUFFERING) && PNETCDF_BURST_BUFFERING
  MPI_Info_create(&info);
  MPI_Info_set(info, "nc_burst_buf", "enable");
  MPI_Info_set(info, "nc_burst_buf_dirname", logs);
  return 1;
#else
  (void)logs;
  if (rank == 0) printf("no burst buffer\n");
  return 0;
#endif
}

int main(int count, char **arguments) {
  file_t *files = NULL;
  int number = 0, i;
  double start, seconds[2], slowest[2];
  FILE *script;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (count != 3 && count != 4) fail("arguments", "SCRIPT DIRECTORY [LOGS]");
  if (count == 4 && !burst_buffer(arguments[3])) {
    MPI_Finalize();
    return 0;
  }
  script = fopen(arguments[1], "r");
  if (!script) fail(arguments[1], "it cannot be read");
  while (1) {
    files = realloc(files, (number + 1) * sizeof(file_t));
    if (!files) fail("memory", "there is none");
    if (!read_file(script, &files[number])) break;
    number++;
  }
  fclose(script);
  make_rows();
  MPI_Barrier(MPI_COMM_WORLD);
  start = MPI_Wtime();
  for (i = 0; i < number; i++) write_file(&files[i], arguments[2]);
  seconds[0] = MPI_Wtime() - start;
  seconds[1] = create_seconds;
  MPI_Reduce(seconds, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("nanos %.0f %.0f\n", slowest[0] * 1e9, slowest[1] * 1e9);
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
