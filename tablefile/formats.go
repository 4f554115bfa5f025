//go:build !lean && !wasm

package tablefile

import "beziergp/internal/format"

// typedFormats are the formats whose cells have types, and how to read a file of one, which
// is closed where that fails.
var typedFormats = map[format.Format]func(*binaryFile) (typed, error){
	format.Parquet: openParquet,
	format.Arrow:   openArrow,
}

// databases are what opens a database, by the scheme of its URL.
var databases = map[string]openDatabase{
	"sqlite":     openSQLite,
	"postgres":   openPostgres,
	"postgresql": openPostgres,
}

// Formats returns the names of the formats that this program reads.
func Formats() []string { return []string{"CSV", "Parquet", "Arrow", "SQLite", "PostgreSQL"} }
