// Command fakellm imitates a language model's service; no model is in it. It answers every request of Verbatim in the right shape, with
// words from the request, always the same, or misbehaves in a chosen way:
//
//	go run ./test/fakellm --listen 127.0.0.1:9090 --mode plausible
//	VERBATIM_LLM_URL=http://127.0.0.1:9090 VERBATIM_LLM_MODEL=fake verbatim demo
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"verbatim/internal/platform/llm/llmtest"
)

var modes = map[string]llmtest.Behaviour{
	"plausible": llmtest.Plausible,
	"slow":      llmtest.After(3*time.Second, llmtest.Plausible),
	"too-slow":  llmtest.After(time.Minute, llmtest.Plausible),
	"garbage":   llmtest.Garbage,
	"prose":     llmtest.Says("I would rather talk about the weather."),
	"hostile":   llmtest.Hostile,
	"limited":   llmtest.Fails(http.StatusTooManyRequests, "20"),
	"broken":    llmtest.Fails(http.StatusInternalServerError, ""),
	"down":      llmtest.Down,
}

func main() {
	names := strings.Join(slices.Sorted(maps.Keys(modes)), ", ")
	listen := flag.String("listen", "127.0.0.1:9090", "address to listen on")
	mode := flag.String("mode", "plausible", "how it behaves: "+names)
	flag.Parse()
	behaviour, known := modes[*mode]
	if !known {
		fmt.Fprintf(os.Stderr, "fakellm: there is no mode %q; the modes are %s\n", *mode, names)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := serve(ctx, *listen, behaviour, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fakellm:", err)
		os.Exit(1)
	}
}

// serve answers until ctx ends. It prints its address.
func serve(ctx context.Context, address string, behaviour llmtest.Behaviour, out io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "a fake model at http://%s\n", listener.Addr())
	server := &http.Server{Handler: llmtest.New(behaviour), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
