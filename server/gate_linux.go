package server

import "golang.org/x/sys/unix"

// unwelcome has the system ignore who asks for a connection from now on, while those that are
// being made are finished. Who is ignored asks again after a second, and is refused then, or is
// answered by another server: but it never sends a request that nobody reads.
func (g *gate) unwelcome() {
	const flags, ack = 13, 0x10 // of TCP's header
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jf: 1, K: ack},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0xffffffff},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
	}
	raw, err := g.SyscallConn()
	if err != nil {
		return // and clients may be cut off, as where there are no filters
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})
	})
}
