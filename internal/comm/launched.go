package comm

import (
	"fmt"
	"os"
	"strconv"
)

// launchers are the variables by which launchers of parallel programs tell a process how many
// it is one of. Those of Slurm and PBS about the whole allocation are not among them: a batch
// script has them, too, and what it starts is one process.
var launchers = []struct{ size, by string }{
	{"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun"},
	{"PMI_SIZE", "mpiexec of MPICH or Intel MPI"},
	{"MV2_COMM_WORLD_SIZE", "mpiexec of MVAPICH"},
	{"SLURM_STEP_NUM_TASKS", "Slurm's srun"},
}

// Launch is how a process was started.
type Launch struct {
	Ranks    int
	By       string // whoever started it
	Variable string // of the environment, that says so
}

// Launched returns how this process was started: as one of how many ranks. It is one rank where
// no launcher has left word.
func Launched() Launch { return launched(os.Getenv) }

func launched(getenv func(string) string) Launch {
	for _, l := range launchers {
		if n, err := strconv.Atoi(getenv(l.size)); err == nil && n > 1 {
			return Launch{n, l.by, l.size}
		}
	}
	return Launch{Ranks: 1}
}

// Apart says how to start separate programs by the launcher.
func (l Launch) Apart() string {
	return fmt.Sprintf("start programs that have nothing to do with each other by env -u %s", l.Variable)
}
