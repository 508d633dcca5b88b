package store

import (
	"net"
	"time"
)

// deadPeerTimeout is how long a connection to the database lives whose other end does not even acknowledge bytes, as when a
// machine lost its power or its network and nothing ends the connection.
const deadPeerTimeout = 5 * time.Second

// dialer returns the dialer for the database. On an idle connection it probes the other end after two seconds, and then every
// second.
func dialer() *net.Dialer {
	const idle, interval = 2 * time.Second, time.Second
	return &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: idle, Interval: interval, Count: int((deadPeerTimeout - idle) / interval)},
		Control:         setUserTimeout,
	}
}
