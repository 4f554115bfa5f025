//go:build !lean && !wasm

package tablefile

import (
	"errors"
	"io"
	"io/fs"
	"os"

	sqlite3 "modernc.org/sqlite/lib"
)

// needsFolder tells whether an SQLite file could not be read because its journal is a
// write-ahead log and its folder cannot be written to: who reads has a file there, too,
// by which readers and writers know of each other (https://sqlite.org/wal.html#readonly).
func needsFolder(err error, path string) bool {
	var coded interface{ Code() int } // of the library's error
	if !errors.As(err, &coded) || !hasWAL(path) {
		return false
	}
	switch coded.Code() {
	case sqlite3.SQLITE_READONLY_DIRECTORY, sqlite3.SQLITE_READONLY_CANTINIT, sqlite3.SQLITE_READONLY_RECOVERY, sqlite3.SQLITE_READONLY_CANTLOCK:
		return true
	case sqlite3.SQLITE_CANTOPEN: // which a query may meet with, too, when that file is there
		_, err := os.Stat(path + "-shm")
		return errors.Is(err, fs.ErrNotExist)
	}
	return false
}

// hasWAL tells whether the journal of an SQLite file is a write-ahead log: the file says
// so in its bytes 18 and 19 (https://sqlite.org/fileformat.html).
func hasWAL(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	header := make([]byte, 20)
	_, err = io.ReadFull(f, header)
	return err == nil && header[18] == 2 && header[19] == 2
}

func unwritableWAL(name string, cause error) *Error {
	return &Error{File: name, Problem: "the database has a write-ahead log (journal_mode WAL), and reading such a one takes a folder that can be written to",
		Remedy: "copy the file, and the one with -wal after its name if it is there, to a folder of yours, or have its owner run PRAGMA journal_mode=DELETE", Err: cause}
}
