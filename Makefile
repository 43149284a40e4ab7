# make build     the program, bin/eventraces
# make test      every test; what cannot be fetched is skipped, with one line each and a count
#                (REQUIRE=all: a skip fails)
# make bench     benchmarks
# make measure   whole apps: time and memory into docs/performance.md
#                (APPS=folder: the APKs of a folder, printed)
# make pairs     whole apps: the pairs of accesses after each stage, printed (APPS=folder as above)
# make growth    synthetic apps of growing size: docs/growth.md and its plot
# make fuzz      every fuzz target for FUZZTIME
# make examples  rebuild the example apps whose sources changed (JDK 17, Maven)
# make recordings  record again what Android's own framework calls (JDK 17, Maven, network)
# make annotations  rebuild the jar of annotations (JDK 17)
# make golden    rewrite golden files; read the diff before you commit it
# make docs      rewrite the pages of the rules and of the facts

GO ?= go
FUZZTIME ?= 1m
VERSION ?=
REQUIRE ?=
APPS ?=
export REQUIRE
# The programs need no C; without it the tests need no compiler either.
export CGO_ENABLED = 0

LDFLAGS = -s -w $(if $(VERSION),-X main.version=$(VERSION))

.PHONY: all build test bench measure pairs growth fuzz examples recordings annotations golden docs clean

all: build test

build:
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/eventraces ./cmd/eventraces

test:
	$(GO) vet ./...
	$(GO) run ./scripts/runtests ./...

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

measure: build
	$(GO) run ./scripts/measure -program bin/eventraces $(if $(APPS),-apps '$(APPS)',-out docs/performance.md)

pairs: build
	$(GO) run ./scripts/measure -pairs -program bin/eventraces $(if $(APPS),-apps '$(APPS)')

growth: build
	$(GO) run ./scripts/grow -measure -program bin/eventraces -out docs/growth.md

fuzz:
	GO='$(GO)' FUZZTIME='$(FUZZTIME)' scripts/fuzz

examples:
	examples/build.sh
	examples/edits/build.sh

recordings:
	engine/testdata/recorded/record.sh

annotations:
	annotations/build.sh

docs:
	$(GO) run ./scripts/rulepages docs/rules
	$(GO) run ./scripts/factpage docs/facts.md

golden: docs
	scripts/golden

clean:
	rm -rf bin
