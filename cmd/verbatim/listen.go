package main

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// listen listens on an address that a flag gave. Its errors are made for operators.
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

// tryListen returns the error that listening would return now. It is for the time before a database is opened, and perhaps migrated, which
// a server that cannot listen should not do.
func (cmd *serveCommand) tryListen() error {
	for _, one := range []struct{ flag, address string }{{"--listen", cmd.Listen}, {"--metrics-listen", cmd.MetricsListen}} {
		if one.flag == "--metrics-listen" && one.address == "" {
			continue // no metrics
		}
		if err := checkListen(one.flag, one.address); err != nil {
			return err
		}
		listener, err := listen(one.flag, one.address)
		if err == nil {
			err = listener.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkListen refuses an address that is not HOST:PORT. An empty one would be every interface with a port by chance.
func checkListen(flag, address string) error {
	if address == "" {
		return usageError(flag + " must be HOST:PORT, such as 127.0.0.1:8080, and not empty")
	}
	if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return usageError(fmt.Sprintf("%s %q must be HOST:PORT, such as 127.0.0.1:8080", flag, address))
	}
	return nil
}
