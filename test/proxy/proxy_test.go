package proxy

import (
	"io"
	"net"
	"testing"
	"time"
)

// echo listens and sends back what it receives.
func echo(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				io.Copy(conn, conn)
			}()
		}
	}()
	return listener.Addr().String()
}

func connect(t *testing.T, p *Proxy) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func start(t *testing.T, delay time.Duration) *Proxy {
	t.Helper()
	p, err := Start(echo(t), delay)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func roundTrip(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(text))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != text {
		t.Fatalf("sent %q, %q came back: %v", text, got, err)
	}
}

// Messages that are sent at once are delayed at once: many of them take little longer than one.
func TestDelay(t *testing.T) {
	const delay = 20 * time.Millisecond
	p := start(t, delay)
	conn := connect(t, p)
	begun := time.Now()
	roundTrip(t, conn, "one")
	if took := time.Since(begun); took < 2*delay {
		t.Errorf("a round trip took %v, less than twice the delay of %v", took, delay)
	}
}

func TestFreeze(t *testing.T) {
	p := start(t, 0)
	conn := connect(t, p)
	roundTrip(t, conn, "before")
	p.Freeze()
	if _, err := io.WriteString(conn, "held"); err != nil {
		t.Fatal(err)
	}
	conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := conn.Read(make([]byte, 10)); err == nil {
		t.Fatalf("%d bytes passed while the proxy was frozen", n)
	}
	conn.SetReadDeadline(time.Time{})
	p.Thaw()
	got := make([]byte, 4)
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != "held" {
		t.Fatalf("%q came after Thaw: %v", got, err)
	}
}

func TestCutAndRefuse(t *testing.T) {
	p := start(t, 0)
	conn := connect(t, p)
	roundTrip(t, conn, "before")
	p.Refuse(true)
	if n := p.Cut(); n != 1 {
		t.Errorf("%d connections were cut, not 1", n)
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("a connection that was cut still reads")
	}
	refused := connect(t, p)
	if _, err := refused.Read(make([]byte, 1)); err == nil {
		t.Error("a connection is served while new ones are refused")
	}
	p.Refuse(false)
	roundTrip(t, connect(t, p), "after")
}
