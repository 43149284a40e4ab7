package ir_test

import (
	"testing"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

func TestLambdaHome(t *testing.T) {
	for name, want := range map[string]string{
		"lambda$onCreate$0":                      "onCreate",
		"lambda$onCreate$1$com-example-Main":     "onCreate",
		"lambda$new$0":                           "<init>",
		"lambda$static$12":                       "<clinit>",
		"onCreate$lambda$0":                      "onCreate",
		"$r8$lambda$Zk0gxBcRi9NDyY4cMzIv7Dh_Pj0": "Zk0gxBcRi9NDyY4cMzIv7Dh_Pj0",
		"$private$lambda$load$0":                 "load",
		"lambda$":                                "lambda",
		"onCreate":                               "",
		"lambda":                                 "",
	} {
		if got, ok := ir.LambdaHome(name); got != want || ok != (want != "") {
			t.Errorf("LambdaHome(%s) = %s, %v, want %s", name, got, ok, want)
		}
	}
}
