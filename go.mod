module beziergp

go 1.25.0
