module github.com/eventraces/eventraces

go 1.26
