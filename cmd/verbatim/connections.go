package main

import "log/slog"

// connectionFlags limit the connections of a server.
type connectionFlags struct {
	MaxConnections        int `help:"Maximum number of open connections; lower if the system's limit of open files requires it. The oldest idle one is closed for a new one. 0: no limit." default:"4096" env:"VERBATIM_MAX_CONNECTIONS" placeholder:"N"`
	MaxNetworkConnections int `help:"Maximum number of open connections of one address, other than a trusted proxy's. 0: no limit." default:"512" env:"VERBATIM_MAX_NETWORK_CONNECTIONS" placeholder:"N"`
	// The default is enough for a classroom of 60 whose interviews record three tracks.
	MaxNetworkUploads int `help:"Maximum number of simultaneous uploads of one address, other than a trusted proxy's. A wide IPv6 network may have more, and all addresses together half of the connections. 0: no limit of an address." default:"192" env:"VERBATIM_MAX_NETWORK_UPLOADS" placeholder:"N"`
}

// How connections follow from the limit of open files, and streams and uploads from the connections. A server keeps reservedFiles for
// the database, recordings that are read and programs that it runs. Each connection may open one file beside itself, to read or write.
const (
	reservedFiles        = 200
	filesPerConnection   = 2
	minConnections       = 64
	connectionsPerStream = 2 // one in so many connections may follow an interview
	connectionsPerUpload = 2 // one in so many connections may be an upload
	defaultUploads       = 2048
)

func (f connectionFlags) check() error {
	if f.MaxConnections < 0 || f.MaxNetworkConnections < 0 || f.MaxNetworkUploads < 0 {
		return usageError("--max-connections, --max-network-connections and --max-network-uploads must not be negative")
	}
	return nil
}

// connections returns the maximum number of connections; 0 means no limit.
func (f connectionFlags) connections(log *slog.Logger) int {
	files, err := maxOpenFiles()
	if err != nil || f.MaxConnections == 0 {
		return f.MaxConnections // the system does not report its limit, or none is wanted
	}
	limit := max(minConnections, (files-reservedFiles)/filesPerConnection)
	if limit < f.MaxConnections {
		log.Warn("the limit of open files leaves fewer connections than --max-connections", "connections", limit, "open_files", files)
		return limit
	}
	return f.MaxConnections
}

// maxSubscribers returns how many of the connections may follow interviews; 0 stands for the default.
func maxSubscribers(connections int) int { return connections / connectionsPerStream }

// uploadSlots returns how many of the connections may be uploads at once; defaultUploads if connections are not limited.
func uploadSlots(connections int) int {
	if connections == 0 {
		return defaultUploads
	}
	return connections / connectionsPerUpload
}
