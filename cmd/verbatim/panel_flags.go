package main

import (
	"fmt"
	"net/http"
	"net/netip"

	"verbatim/internal/service/panels"
)

// panelFlags configure what panels are told.
type panelFlags struct {
	PostbackNetworks []string `help:"Private networks (CIDR) that the postbacks of panels may reach. Default: none, public addresses alone." env:"VERBATIM_POSTBACK_NETWORKS" placeholder:"CIDR"`
}

// client returns the client for postbacks.
func (f panelFlags) client() (*http.Client, error) {
	var allowed []netip.Prefix
	for _, text := range f.PostbackNetworks {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, usageError(fmt.Sprintf("--postback-networks: %q is not a network such as 10.0.0.0/8", text))
		}
		allowed = append(allowed, network.Masked())
	}
	return panels.Client(allowed), nil
}
