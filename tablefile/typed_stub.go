package tablefile

func openParquet(path string) (typed, error) { return nil, noText(path, "Parquet") }

func openArrow(path string) (typed, error) { return nil, noText(path, "Arrow") }
