// Package tablecache keeps a table on disk in blocks of columns, for training on
// rows that do not fit into memory.
//
// A cache is written once, row by row as a reader gives them, in memory that does
// not grow with the rows. It can then be read block by block in any order. It is a
// file of the machine that made it and of no other use: blocks of float64, column
// after column, and at the end a description of the columns with what was seen of
// them: extremes, numbers of missing values and of rows a level, and a sample of the
// rows. Several processes may write one cache at a time: each reads its own, and the
// last to finish stays.
//
// Processes that have a part of the rows each, in a cache of its own, join them ([Cache.Join]):
// every one then has a cache of all rows, of which it reads its own.
//
// Damage is noticed: the description has a SHA-256, which [Open] checks, and holds a
// CRC-32C of every block, which [Cache.Read] checks each time. A processor takes these
// at 10 GB a second and more, so that reading a block again costs no more for it.
package tablecache
