// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.job.directive.AccessMode.Kind;
import io.forebay.job.directive.BufferPath.Root;
import io.forebay.job.directive.Directives.BufferType;
import io.forebay.job.directive.Directives.JobBuffer;
import io.forebay.job.directive.Directives.Origin;
import io.forebay.job.directive.Directives.PersistentCreation;
import io.forebay.job.directive.Directives.PersistentRemoval;
import io.forebay.job.directive.Directives.PersistentUse;
import io.forebay.job.directive.Directives.Stage;
import io.forebay.job.directive.Directives.StageKind;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectiveReaderTest {
  private static final long GIB = 1L << 30;

  @Test
  void aWholeScript() throws BadDirective {
    Directives read =
        DirectiveReader.read(
            """
            #!/bin/bash
            #SBATCH -N 2
            #DW jobdw capacity=100GiB access_mode=striped,private type=scratch pool=ssd

            #DW persistentdw name=atlas
            #DW stage_in type=directory source=/scratch/in destination=$DW_JOB_STRIPED/in/
            #DW stage_in type=list source=/scratch/list
            # a comment
            #DW stage_out type=file source=${DW_PERSISTENT_STRIPED_atlas}/a//b destination=/scratch/b
            #BB create_persistent name=next capacity=1TB access=striped type=scratch
            #BB destroy_persistent name=old hurry
            srun ./model
            #DW jobdw capacity=nothing
            """);
    JobBuffer job =
        new JobBuffer(
            3,
            100 * GIB,
            List.of(AccessMode.of(Kind.STRIPED), AccessMode.of(Kind.PRIVATE)),
            BufferType.SCRATCH,
            "ssd",
            null);
    assertThat(read.jobBuffer()).isEqualTo(job);
    assertThat(read.uses()).containsExactly(new PersistentUse(5, "atlas"));
    assertThat(read.stageIns())
        .containsExactly(
            new Stage(
                6, StageKind.DIRECTORY, "/scratch/in", new BufferPath(Root.JOB_STRIPED, "", "/in")),
            new Stage(7, StageKind.LIST, "/scratch/list", null));
    assertThat(read.stageOuts())
        .containsExactly(
            new Stage(
                9,
                StageKind.FILE,
                "/scratch/b",
                new BufferPath(Root.PERSISTENT_STRIPED, "atlas", "/a/b")));
    assertThat(read.creations())
        .containsExactly(
            new PersistentCreation(
                10,
                Origin.BB,
                "next",
                1_000_000_000_000L,
                List.of(AccessMode.of(Kind.STRIPED)),
                null));
    assertThat(read.removals()).containsExactly(new PersistentRemoval(11, Origin.BB, "old", true));
    assertThat(read.isEmpty()).isFalse();
  }

  @Test
  void aScriptWithoutDirectives() throws BadDirective {
    assertThat(DirectiveReader.read("#!/bin/bash\n#BBQ\n#DWARF\nhostname\n").isEmpty()).isTrue();
    assertThat(DirectiveReader.read("").isEmpty()).isTrue();
  }

  @Test
  void whatSlurmMakesOfItsOptionNeedsNoMore() throws BadDirective {
    // 'sbatch --bb="capacity=1G"' gives this line.
    JobBuffer job = DirectiveReader.read("#!/bin/sh\n#DW jobdw capacity=1GiB\n").jobBuffer();
    assertThat(job.access()).containsExactly(AccessMode.of(Kind.STRIPED));
    assertThat(job.type()).isEqualTo(BufferType.SCRATCH);
    assertThat(job.pool()).isNull();
  }

  @Test
  void aBackslashContinuesALine() throws BadDirective {
    Directives read =
        DirectiveReader.read(
            """
            #DW jobdw capacity=10GiB\\
            #DW access_mode=private \\
            #DW     pool=ssd
            #DW stage_in type=file source=/a destination=$DW_JOB_PRIVATE/a
            """);
    assertThat(read.jobBuffer())
        .isEqualTo(
            new JobBuffer(
                1,
                10 * GIB,
                List.of(AccessMode.of(Kind.PRIVATE)),
                BufferType.SCRATCH,
                "ssd",
                null));
    assertThat(read.stageIns()).hasSize(1);
  }

  @Test
  void accessModesHaveAttributes() throws BadDirective {
    String line = "#DW jobdw capacity=1G access_mode=striped(MFS=2MiB,MFC=7,type=scratch),private";
    assertThat(DirectiveReader.read(line).jobBuffer().access())
        .containsExactly(
            new AccessMode(Kind.STRIPED, OptionalLong.of(2 << 20), OptionalLong.of(7)),
            AccessMode.of(Kind.PRIVATE));
  }

  @Test
  void aCacheIsOverADirectory() throws BadDirective {
    JobBuffer job =
        DirectiveReader.read(
                "#DW jobdw capacity=1G type=cache pfs=/scratch access_mode=ldbalance max_mds=yes")
            .jobBuffer();
    assertThat(job.type()).isEqualTo(BufferType.CACHE);
    assertThat(job.pfs()).isEqualTo("/scratch");
    assertThat(job.has(Kind.LDBALANCE)).isTrue();
  }

  /** Each mistake, and words that the sentence about it has. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          DW jobdw                                               | has no capacity; write for example capacity=100GiB
          DW jobdw access_mode=striped                           | line 2: '#DW jobdw' has no capacity
          DW jobdw capacity=1.5TB                                | decimal point, which batch systems misread; write capacity=1500GB
          DW jobdw capacity=3.5TiB                               | write capacity=3584GiB
          DW jobdw capacity=.5K                                  | write capacity=512
          DW jobdw capacity=many                                 | capacity=many is not a size; write a whole number
          DW jobdw capacity=0                                    | capacity=0 is no room
          DW jobdw capacity = 100GiB                             | 'capacity' has no value; write capacity=VALUE without spaces
          DW jobdw capacity= 100GiB                              | has spaces around its '='
          DW jobdw capacity=1G capacity=2G                       | 'capacity' is given twice
          DW jobdw capacity=1G size=4                            | unknown key 'size'; '#DW jobdw' knows capacity, access_mode
          DW jobdw capacity=1G access_mode=shared                | access_mode 'shared' is not known; write access_mode=striped
          DW jobdw capacity=1G access_mode=striped, private      | 'private' is not KEY=VALUE; values have no spaces
          DW jobdw capacity=1G access_mode=striped private       | 'private' is not KEY=VALUE; values have no spaces
          DW jobdw capacity=1G access_mode=striped,striped       | has a mode twice
          DW jobdw capacity=1G access_mode=striped(MFS=1G        | parentheses that do not match
          DW jobdw capacity=1G access_mode=striped(width=2)      | unknown attribute 'width=2'
          DW jobdw capacity=1G access_mode=striped(MFC=x)        | MFC=x is not a number of files
          DW jobdw capacity=1G access_mode=striped(type=cache)   | not the type of the buffer
          DW jobdw capacity=1G access_mode=ldbalance             | ldbalance is for type=cache
          DW jobdw capacity=1G type=swap                         | type=swap is not known; write type=scratch or type=cache
          DW jobdw capacity=1G type=cache                        | type=cache has no pfs; write pfs=/PATH
          DW jobdw capacity=1G type=cache pfs=/a access_mode=private | a cache cannot be private
          DW jobdw capacity=1G pfs=/a                            | pfs=/a is for type=cache
          DW jobdw capacity=1G max_mds=2                         | max_mds=2 is not known; write max_mds=yes or max_mds=no
          DW persistentdw                                        | has no name; write for example name=mydata
          DW swap 3GiB                                           | '#DW swap' is not offered
          DW copy_in source=a                                    | unknown command '#DW copy_in'; write jobdw, persistentdw
          DW                                                     | '#DW' has no command
          BB jobdw capacity=1G                                   | unknown command '#BB jobdw'; write create_persistent
          BB create_persistent capacity=1G                       | has no name
          BB create_persistent name=1a capacity=1G               | cannot be part of a variable's name
          BB create_persistent name=a-b capacity=1G              | cannot be part of a variable's name
          BB create_persistent name=a capacity=1G type=cache     | a persistent buffer cannot be a cache
          BB create_persistent name=a capacity=1G access=striped,private | has one access mode, not 'striped,private'
          BB destroy_persistent hurry                            | has no name
          BB destroy_persistent name=a now                       | 'now' is not KEY=VALUE
          DW stage_in source=/a destination=$DW_JOB_STRIPED/a    | has no type; write for example type=file
          DW stage_in type=file destination=$DW_JOB_STRIPED/a    | has no source; write for example source=/scratch/input
          DW stage_in type=tree source=/a destination=/b         | type=tree is not known; write type=file or type=directory or type=list
          DW stage_in type=file source=/a destination=/b         | destination=/b is not in a buffer; begin it with $DW_JOB_STRIPED/
          DW stage_in type=file source=a destination=$DW_JOB_STRIPED/a | source=a is not a whole path
          DW stage_in type=file source=$HOME/a destination=$DW_JOB_STRIPED/a | has a variable, which nothing replaces
          DW stage_in type=file source=$DW_JOB_STRIPED/a destination=/b | exchange source and destination
          DW stage_in type=file source=/a destination=$DW_JOB_STRIPED/ | names a directory, and type=file needs a file
          DW stage_in type=file source=/a destination=$DW_JOB_STRIPED/../a | has '..', which leaves the buffer
          DW stage_in type=file source=/a destination=${DW_JOB_STRIPED}a | has no '/' behind the variable
          DW stage_in type=file source=/a destination=$DW_JOB_STRIPED/a | does not ask for; write '#DW jobdw capacity=100GiB access_mode=striped type=scratch'
          DW stage_in type=list source=/a destination=$DW_JOB_STRIPED/a | type=list has no destination
          DW stage_in type=list source=/a                        | the script asks for no buffer
          DW stage_out type=file source=$DW_PERSISTENT_STRIPED_x/a destination=/a | write '#DW persistentdw name=x'
          DW stage_out type=file source=/a destination=$DW_JOB_STRIPED/a | exchange source and destination, or write stage_in
          """)
  void mistakesAreExplained(String line, String words) {
    assertThatThrownBy(() -> DirectiveReader.read("#!/bin/bash\n#" + line + "\nhostname\n"))
        .isInstanceOf(BadDirective.class)
        .hasMessageStartingWith("line 2: ")
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          DW jobdw capacity=2G                                   | line 3: a second '#DW jobdw' (the first is in line 2)
          DW stage_in type=file source=/a destination=$DW_JOB_PRIVATE/a | $DW_JOB_PRIVATE needs access_mode=private; add it in line 2
          DW persistentdw name=a \\                              | line 3: the directive ends with '\\'
          """)
  void mistakesBehindABufferAreExplained(String line, String words) {
    assertThatThrownBy(() -> DirectiveReader.read("#!/bin/bash\n#DW jobdw capacity=1G\n#" + line))
        .isInstanceOf(BadDirective.class)
        .hasMessageContaining(words);
  }

  @Test
  void privateFilesAreNotStagedOut() {
    assertThatThrownBy(
            () ->
                DirectiveReader.read(
                    """
                    #DW jobdw capacity=1G access_mode=private
                    #DW stage_out type=file source=$DW_JOB_PRIVATE/a destination=/a
                    """))
        .hasMessageContaining("different on each node");
  }

  @Test
  void aCacheIsNotStaged() {
    assertThatThrownBy(
            () ->
                DirectiveReader.read(
                    """
                    #DW jobdw capacity=1G type=cache pfs=/a
                    #DW stage_in type=file source=/a destination=$DW_JOB_STRIPED/a
                    """))
        .hasMessageContaining("line 2: the job's buffer is a cache");
  }

  @Test
  void aContinuedLineHasTheSameWord() {
    assertThatThrownBy(() -> DirectiveReader.read("#DW jobdw \\\ncapacity=1G\n"))
        .hasMessageContaining("line 2: the line before ends with '\\'")
        .hasMessageContaining("begin it with #DW");
  }
}
