// Command release makes what is given to users: archives of the program for every
// system, with man pages, completions, licences and a bill of materials, the same
// bytes whoever makes them of the same sources with the same Go.
//
//	release notice                      write NOTICE
//	release documents DIR               write licences, man pages and completions to DIR
//	release archives [-version V] DIR   build for every system, write archives and SHA256SUMS to DIR
//
// It runs in the folder of the sources. The version and the time are those of the
// commit, or -version and SOURCE_DATE_EPOCH, so that sources without history
// make the same archives.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"beziergp/cmd/beziergp/internal/release/archive"
	"beziergp/cmd/beziergp/internal/release/licence"
	"beziergp/internal/atomicfile"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		log.Fatal("release: ", err)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ExitOnError)
	version := flags.String("version", "", "version, v1.2.3 (default that of the commit)")
	if len(args) == 0 {
		return errors.New("say notice, documents or archives")
	}
	verb := args[0]
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if wants := map[string]int{"notice": 0, "documents": 1, "archives": 1}; flags.NArg() != wants[verb] {
		return fmt.Errorf("%s takes %d arguments, here are %d", verb, wants[verb], flags.NArg())
	}
	modules, err := licence.Linked(ctx, ".", program, systems)
	if err != nil {
		return err
	}
	switch verb {
	case "notice":
		return atomicfile.WriteFile("NOTICE", func(w io.Writer) error { return licence.WriteNotice(w, modules) })
	case "documents", "archives":
		s, err := newSource(ctx, *version)
		if err != nil {
			return err
		}
		texts, err := documents(s, modules)
		if err != nil {
			return err
		}
		if verb == "archives" {
			return archives(ctx, s, modules, texts, flags.Arg(0))
		}
		return unpack(flags.Arg(0), texts)
	}
	return fmt.Errorf("there is no %q: say notice, documents or archives", verb)
}

// unpack writes files below a folder.
func unpack(dir string, files []archive.File) error {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
