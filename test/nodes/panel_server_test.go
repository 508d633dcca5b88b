package nodes

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"verbatim/internal/api/testpanel"
	"verbatim/test/testserver"
)

// panelServer is the server of a panel: the test panel of the program, which can be stopped.
type panelServer struct {
	address string
	stand   *testpanel.Panel

	mu     sync.Mutex
	server *http.Server
	up     chan struct{} // closed while the server runs
}

func newPanelServer(t *testing.T) *panelServer {
	t.Helper()
	s := &panelServer{address: testserver.FreeAddress(t), stand: &testpanel.Panel{Secret: panelSecret, Now: time.Now, Keep: 1 << 20}, up: make(chan struct{})}
	s.start(t)
	t.Cleanup(s.stop)
	return s
}

func (s *panelServer) start(t *testing.T) {
	listener, err := net.Listen("tcp", s.address)
	if err != nil {
		t.Error(err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = &http.Server{Handler: s.stand, ReadHeaderTimeout: time.Minute}
	go s.server.Serve(listener) //nolint:errcheck // it ends with ErrServerClosed
	close(s.up)
}

func (s *panelServer) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server != nil {
		_ = s.server.Close()
		s.server, s.up = nil, make(chan struct{})
	}
}

// await waits until the server runs.
func (s *panelServer) await(ctx context.Context) {
	s.mu.Lock()
	up := s.up
	s.mu.Unlock()
	select {
	case <-up:
	case <-ctx.Done():
	}
}
