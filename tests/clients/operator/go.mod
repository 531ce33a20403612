module exitpath.example/operator

go 1.15
