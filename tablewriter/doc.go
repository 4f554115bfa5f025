// Package tablewriter writes tables to files, block by block, in memory that does not grow
// with their rows.
//
// What a cell becomes:
//
//	          CSV, TSV            JSON lines         Parquet            Arrow
//	text      as it stood         string             BYTE_ARRAY String  utf8
//	number    fewest digits       number             DOUBLE             double
//	integer   digits              number             INT64              int64
//	truth     true, false         true, false        BOOLEAN            bool
//	date      2024-02-29          string of these    INT32 Date         date32
//	time      2024-02-29T13:45:00 string of these    INT64 Timestamp    timestamp
//	missing   nothing, or a text  null               null               null
//	          as it stood
//
// Numbers read back as the same float64. Times of a zone end in Z, of local time in
// nothing. A format is a file with a line in the table of its name, so that a build may
// leave it out.
package tablewriter
