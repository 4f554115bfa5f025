package licence

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

const heading = `beziergp
Copyright 2026 the beziergp authors

Licensed under the Apache License, Version 2.0: see the file LICENSE.

The program links or holds the works below, on one system or another. Their licences and
notices, in full, lie in the folder licenses of every release archive; "go run
./cmd/beziergp/internal/release documents DIR" writes them from the module cache. "make notice" writes
this file, and a test compares it with what is linked.

`

// WriteNotice writes the NOTICE: what is linked, and under which licence.
func WriteNotice(w io.Writer, modules []Module) error {
	if _, err := io.WriteString(w, heading); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, m := range modules {
		name := m.Path
		if name == Standard {
			name = "the Go standard library and runtime"
		}
		fmt.Fprintf(t, "%s\t%s\n", name, m.Licence)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	// What Apache-2.0 wants to be handed on, section 4 (d).
	for _, m := range modules {
		for _, f := range m.Files {
			if strings.HasPrefix(strings.ToUpper(f.Name), "NOTICE") {
				if _, err := fmt.Fprintf(w, "\n%s says:\n\n%s\n", m.Path, strings.TrimSpace(string(f.Text))); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
