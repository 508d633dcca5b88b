// Command provider is a speech-to-text provider for the browser tests, with a real voice: it writes a WAV with speech, prints what is
// said and the address at which it understands it (VERBATIM_SPEECH_URL), and serves until its input ends.
//
//	go run ./test/speech/provider voice.wav
//
// With texts after the file it says these instead, with seconds of silence after each (GAP), understands them alone, and reads other texts aloud
// (VERBATIM_SPEAK_URL):
//
//	go run ./test/speech/provider voice.wav GAP TEXT...
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"verbatim/test/speech"
)

// lead is the number of seconds of silence before the voice: a page's device check takes some of them.
const lead = 8

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "provider:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	if len(os.Args) != 2 && len(os.Args) < 4 {
		return fmt.Errorf("usage: provider FILE.wav [GAP TEXT...]")
	}
	handler, err := provider(ctx, os.Args[1], os.Args[2:])
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"said": speech.Said, "url": "http://" + listener.Addr().String() + "/v1"}); err != nil {
		return err
	}
	server := &http.Server{Handler: handler}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = server.Close()
	}()
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// provider writes the voice and returns the service that understands it.
func provider(ctx context.Context, path string, of []string) (http.Handler, error) {
	if len(of) == 0 {
		return speech.Provider(), speech.Speak(ctx, speech.Said, path, lead)
	}
	gap, err := time.ParseDuration(of[0])
	if err != nil {
		return nil, err
	}
	known, err := speech.Recite(ctx, of[1:], path, lead/2*time.Second, gap)
	return speech.KnownProvider(known), err
}
