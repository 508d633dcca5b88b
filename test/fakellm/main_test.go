package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"verbatim/internal/platform/llm"
)

func TestServe(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, "127.0.0.1:0", modes["plausible"], write) }()
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, address, _ := strings.Cut(strings.TrimSpace(line), " at ")
	client, err := llm.New(llm.Config{URL: address, Model: "fake"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := client.Chat(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "So it is. Or not."}}})
	if err != nil || reply.Text != "So it is." {
		t.Errorf("%q, %v", reply.Text, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
