package licence

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// embedded are folders of the main module with works of others that the program holds, each
// with what was published: a package.json and its licence.
var embedded = []string{"report/uplot"}

// works returns them as modules.
func works(dir string) ([]Module, error) {
	var all []Module
	for _, folder := range embedded {
		root := filepath.Join(dir, filepath.FromSlash(folder))
		text, err := os.ReadFile(filepath.Join(root, "package.json"))
		if err != nil {
			return nil, err
		}
		var own struct{ Name, Version string }
		if err := json.Unmarshal(text, &own); err != nil || own.Name == "" || own.Version == "" {
			return nil, fmt.Errorf("%s/package.json: name %q, version %q: %v", folder, own.Name, own.Version, err)
		}
		m := Module{Path: own.Name, Version: own.Version, NPM: true}
		names, err := texts(root, root)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if err := m.add(root, name); err != nil {
				return nil, err
			}
		}
		all = append(all, m)
	}
	return all, nil
}
