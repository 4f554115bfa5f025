package comm

import (
	"fmt"
	"os"
	"strconv"
)

// launchers are the variables by which launchers of parallel programs tell a process how many
// it is one of. Those of Slurm and PBS about the whole allocation are not among them: a batch
// script has them, too, and what it starts is one process.
var launchers = []struct{ size, rank, by string }{
	{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI's mpirun"},
	{"PMI_SIZE", "PMI_RANK", "mpiexec of MPICH or Intel MPI"},
	{"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "mpiexec of MVAPICH"},
	{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "Slurm's srun"},
}

// Launch is how a process was started.
type Launch struct {
	Ranks    int
	Rank     int    // of this process, 0 where nothing tells
	By       string // whoever started it
	Variable string // of the environment, that says so
}

// Launched returns how this process was started: as one of how many ranks. It is one rank where
// no launcher has left word.
func Launched() Launch { return launched(os.Getenv) }

func launched(getenv func(string) string) Launch {
	for _, l := range launchers {
		if n, err := strconv.Atoi(getenv(l.size)); err == nil && n > 1 {
			rank, _ := strconv.Atoi(getenv(l.rank))
			return Launch{n, rank, l.by, l.size}
		}
	}
	return Launch{Ranks: 1}
}

// Apart says how to start separate programs by the launcher.
func (l Launch) Apart() string {
	return fmt.Sprintf("start programs that have nothing to do with each other by env -u %s", l.Variable)
}
