package harness

import (
	"os/exec"
	"syscall"
)

// dieWithParent has a command killed when this program is.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
