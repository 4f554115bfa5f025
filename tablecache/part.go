package tablecache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Bounds shares the rows out to so many readers, block by block: reader k has rows
// bounds[k] ≤ j < bounds[k+1].
func (c *Cache) Bounds(readers int) []int {
	bounds := make([]int, readers+1)
	for k := range bounds {
		bounds[k] = min(c.Blocks()*k/readers*c.BlockRows(), c.Rows())
	}
	return bounds
}

// Digest identifies what all blocks hold: by their checksums and what the cache says of them.
func (c *Cache) Digest() string {
	// Plain structs are encoded without fail.
	text, _ := json.Marshal([]any{c.footer.Fields, c.footer.Meaning, c.footer.Rows, c.footer.Dropped, c.footer.Checksums})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}
