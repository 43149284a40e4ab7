package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// interruption is the signal that ends a run: the cause of its context.
type interruption struct{ code int }

func (interruption) Error() string { return "interrupted" }

// interruptions are the signals that end a run. Their codes are those that a
// shell gives what a signal has ended, 128 and its number.
var interruptions = map[os.Signal]interruption{os.Interrupt: {130}, syscall.SIGTERM: {143}}

// interruptible is a context that Ctrl-C and SIGTERM end, until stop is called.
func interruptible(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	for s := range interruptions {
		signal.Notify(signals, s)
	}
	go func() {
		select {
		case s := <-signals:
			cancel(interruptions[s])
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// grace is how long an interrupted command may take to end by itself: publish
// still says in the pull request's checks that there is no verdict.
const grace = 500 * time.Millisecond

// untilInterrupted runs a command, and leaves it where it is if it has not ended
// soon after the context has: no stage of a run needs to look at the context.
func untilInterrupted(ctx context.Context, command func() error) error {
	done := make(chan error, 1)
	go func() { done <- command() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		return context.Cause(ctx)
	}
}

// codeOf is the code for an error.
func codeOf(ctx context.Context, err error) int {
	var i interruption
	if errors.As(context.Cause(ctx), &i) && (errors.Is(err, context.Canceled) || errors.As(err, &i)) {
		return i.code
	}
	return exitFailed
}
