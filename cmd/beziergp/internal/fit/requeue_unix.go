//go:build unix

package fit

import "syscall"

var requeueSignals = []Requeue{{"USR1", syscall.SIGUSR1}, {"USR2", syscall.SIGUSR2}}
