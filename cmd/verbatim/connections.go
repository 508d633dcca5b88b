package main

import "log/slog"

// connectionFlags bound the connections of a server.
type connectionFlags struct {
	MaxConnections        int `help:"Most connections that are open at once; less where the system's limit of open files asks for it. The oldest idle one makes room for a new one. 0: no limit." default:"4096" env:"VERBATIM_MAX_CONNECTIONS" placeholder:"N"`
	MaxNetworkConnections int `help:"The same for each address, other than a trusted proxy's. 0: no limit." default:"512" env:"VERBATIM_MAX_NETWORK_CONNECTIONS" placeholder:"N"`
	MaxNetworkUploads     int `help:"Most uploads of each address that are under way at once, other than a trusted proxy's; a wide IPv6 network has more, and all together half of the connections. 0: no limit of an address." default:"192" env:"VERBATIM_MAX_NETWORK_UPLOADS" placeholder:"N"`
}

// Files that a server opens beside its connections: the database, recordings that are read, programs that it runs. Each
// connection may open one more, for what it reads or writes.
const (
	reservedFiles        = 200
	filesPerConnection   = 2
	minConnections       = 64
	connectionsPerStream = 2 // of so many connections one may follow an interview
	connectionsPerUpload = 2 // of so many connections one may bring an upload
	defaultUploads       = 2048
)

// connections returns how many connections there may be.
func (f connectionFlags) connections(log *slog.Logger) (int, error) {
	if f.MaxConnections < 0 || f.MaxNetworkConnections < 0 || f.MaxNetworkUploads < 0 {
		return 0, usageError("--max-connections, --max-network-connections and --max-network-uploads must not be negative")
	}
	files, err := maxOpenFiles()
	if err != nil || f.MaxConnections == 0 {
		return f.MaxConnections, nil // a system that does not say it
	}
	limit := max(minConnections, (files-reservedFiles)/filesPerConnection)
	if limit < f.MaxConnections {
		log.Warn("the limit of open files leaves fewer connections than --max-connections", "connections", limit, "open_files", files)
		return limit, nil
	}
	return f.MaxConnections, nil
}

// followers returns how many of so many connections may follow interviews; 0 stands for the default.
func maxSubscribers(connections int) int { return connections / connectionsPerStream }

// uploadsOf returns how many of so many connections may bring uploads at once; the default where connections have no limit.
func uploadSlots(connections int) int {
	if connections == 0 {
		return defaultUploads
	}
	return connections / connectionsPerUpload
}
