package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// source is what a release is made of.
type source struct {
	Version  string
	Revision string // of the history; empty without one
	Time     time.Time
}

var versionForm = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// newSource tells version and time of the sources in the current folder.
func newSource(ctx context.Context, version string) (source, error) {
	s := source{Version: version}
	var seconds string
	if head, err := git(ctx, "log", "-1", "--format=%H %ct"); err == nil {
		s.Revision, seconds, _ = strings.Cut(head, " ")
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds = epoch
	}
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return s, fmt.Errorf("no time of the sources: they have no history, so set SOURCE_DATE_EPOCH (here %q)", seconds)
	}
	s.Time = time.Unix(at, 0).UTC()
	if s.Version == "" {
		if s.Version, err = describe(ctx, s.Revision); err != nil {
			return s, err
		}
	}
	if !versionForm.MatchString(s.Version) {
		return s, fmt.Errorf("version %q is not of the form v1.2.3 or v1.2.3-pre", s.Version)
	}
	return s, nil
}

// describe returns the version of a commit: its tag's, or v0.0.0 and its name, and
// whether files differ from it.
func describe(ctx context.Context, revision string) (string, error) {
	if revision == "" {
		return "", errors.New("no version of the sources: they have no history, so say -version v1.2.3")
	}
	if tag, err := git(ctx, "describe", "--tags", "--dirty", "--match", "v*"); err == nil {
		return tag, nil
	}
	changed, err := git(ctx, "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return "", err
	}
	version := "v0.0.0-" + revision[:12]
	if changed != "" {
		version += "-dirty"
	}
	return version, nil
}

func git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	return strings.TrimSpace(string(out)), err
}
