package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"time"

	"github.com/eventraces/eventraces/engine"
)

func main() {
	out, secs, app := os.Args[1], os.Args[2], os.Args[3]
	f, _ := os.Create(out)
	pprof.StartCPUProfile(f)
	d, _ := time.ParseDuration(secs)
	t := time.Now()
	stop := func() { pprof.StopCPUProfile(); f.Close() }
	go func() { time.Sleep(d); stop(); fmt.Println("timeout"); os.Exit(1) }()
	last := ""
	lt := t
	_, err := engine.Check(context.Background(), engine.Options{Inputs: []string{app}, Progress: func(s string, a, b int) {
		if s != last {
			fmt.Printf("%s %.2f\n", last, time.Since(lt).Seconds())
			last, lt = s, time.Now()
		}
	}})
	fmt.Printf("%s %.2f\n", last, time.Since(lt).Seconds())
	stop()
	fmt.Println(err, time.Since(t))
}
