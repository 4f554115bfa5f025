//go:build !lean && !wasm

package tablewriter

// formats are all.
var formats = map[Format]format{
	CSV:     {create: createCSV},
	TSV:     {create: createTSV, endings: []string{"tab"}},
	JSONL:   {create: createJSONL, typed: true, endings: []string{"ndjson"}},
	Parquet: {create: createParquet, typed: true, binary: true, endings: []string{"pq"}},
	Arrow:   {create: createArrow, typed: true, binary: true, endings: []string{"feather", "ipc"}},
}
