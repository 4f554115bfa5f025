package guard

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// Loopback tells whether only this machine reaches an address to listen at.
func Loopback(address string) (bool, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false, fmt.Errorf("the address %q is none; write HOST:PORT, as in 127.0.0.1:8080", address)
	}
	return loopback(host), nil
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// LocalHost tells whether the Host of a request names this machine as such. A page in a
// browser may reach a server at loopback by a name that it has resolve to it; the Host is then
// that name.
func LocalHost(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	return loopback(strings.Trim(host, "[]"))
}
