package main

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// listen listens on the address of a flag. Its errors say what the operator can do.
func listen(flag, address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s %s: another program listens there already; stop it, or choose another port", flag, address)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s %s: this account may not listen on that port; choose one above 1023", flag, address)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("%s %s: this machine does not have that address", flag, address)
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", flag, address, err)
	}
	return listener, nil
}

// tryListen returns the error that listening would return now. It is called before the database is opened and possibly migrated, because
// a server that cannot listen should do neither.
func (cmd *serveCommand) tryListen() error {
	for _, f := range []struct{ flag, address string }{{"--listen", cmd.Listen}, {"--metrics-listen", cmd.MetricsListen}} {
		if f.flag == "--metrics-listen" && f.address == "" {
			continue // no metrics
		}
		if err := checkListen(f.flag, f.address); err != nil {
			return err
		}
		listener, err := listen(f.flag, f.address)
		if err == nil {
			err = listener.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkListen returns an error if an address is not HOST:PORT. An empty address would mean every interface and a random port.
func checkListen(flag, address string) error {
	if address == "" {
		return usageError(flag + " must be HOST:PORT, such as 127.0.0.1:8080, and not empty")
	}
	if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return usageError(fmt.Sprintf("%s %q must be HOST:PORT, such as 127.0.0.1:8080", flag, address))
	}
	return nil
}
