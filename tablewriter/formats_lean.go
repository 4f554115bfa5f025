//go:build lean || wasm

package tablewriter

// formats are those of text. The endings of the others are known, so that no file is called
// what it is not.
var formats = map[Format]format{
	CSV:     {create: createCSV},
	TSV:     {create: createTSV, endings: []string{"tab"}},
	JSONL:   {create: createJSONL, typed: true, endings: []string{"ndjson"}},
	Parquet: {typed: true, binary: true, endings: []string{"pq"}},
	Arrow:   {typed: true, binary: true, endings: []string{"feather", "ipc"}},
}
