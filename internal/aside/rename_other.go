//go:build !windows

package aside

import "os"

func rename(from, to string) error { return os.Rename(from, to) }
