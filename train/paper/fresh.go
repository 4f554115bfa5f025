package paper

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
)

// IsCheckpoint reports whether a file is a checkpoint, of whatever run, and be it
// damaged behind its head: what may be replaced by another. A file that cannot be
// opened is in error.
func IsCheckpoint(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	// A safetensors file begins with the length of a header in JSON.
	const most = 1 << 20
	var length uint64
	if err := binary.Read(file, binary.LittleEndian, &length); err != nil || length > most {
		return false, nil
	}
	var header struct {
		Metadata map[string]string `json:"__metadata__"`
	}
	if err := json.NewDecoder(io.LimitReader(file, int64(length))).Decode(&header); err != nil {
		return false, nil
	}
	_, is := header.Metadata[checkpointKey]
	return is, nil
}

// replaceable returns an error unless a new checkpoint may take the file's place.
func replaceable(path string) error {
	is, err := IsCheckpoint(path)
	if err == nil && !is {
		err = &CheckpointError{path, "it is not a checkpoint of this program, which alone is replaced"}
	}
	return err
}
