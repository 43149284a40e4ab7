module github.com/eventraces/eventraces

go 1.26

require github.com/goccy/go-yaml v1.18.0 // indirect
