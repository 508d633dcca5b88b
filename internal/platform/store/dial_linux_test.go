package store

import (
	"net"
	"syscall"
	"testing"
)

// TestDeadPeer: connections to the database end by themselves when the other machine no longer acknowledges anything.
func TestDeadPeer(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	d, err := parsePostgres("postgres://u@"+listener.Addr().String()+"/d", "")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := d.(postgresDialect).config.DialFunc(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	options := map[int]int{tcpUserTimeout: 5000, syscall.TCP_KEEPIDLE: 2, syscall.TCP_KEEPINTVL: 1, syscall.TCP_KEEPCNT: 3}
	if err := raw.Control(func(fd uintptr) {
		for option, want := range options {
			if got, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, option); err != nil || got != want {
				t.Errorf("option %d is %d, %v, want %d", option, got, err, want)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
}
