package store

import (
	"net"
	"time"
)

// silentServer is how long a connection to the database lives whose other end does not even acknowledge bytes: as it is when a
// machine lost its power, or its network, and nothing ends the connection.
const silentServer = 5 * time.Second

// dialer connects to the database. Where nothing is said, it asks the other end after two seconds, and every second from then.
func dialer() *net.Dialer {
	const idle, interval = 2 * time.Second, time.Second
	return &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: idle, Interval: interval, Count: int((silentServer - idle) / interval)},
		Control:         giveUpUnacknowledged,
	}
}
