// Command provider is a speech-to-text provider for the browser tests, with a real voice: it writes a WAV with speech, prints what is
// said and the address at which it understands it (VERBATIM_SPEECH_URL), and serves until its input ends.
//
//	go run ./test/speech/provider voice.wav
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

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
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: provider FILE.wav")
	}
	if err := speech.Speak(ctx, speech.Said, os.Args[1], lead); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"said": speech.Said, "url": "http://" + listener.Addr().String() + "/v1"}); err != nil {
		return err
	}
	server := &http.Server{Handler: speech.Provider()}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = server.Close()
	}()
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}
