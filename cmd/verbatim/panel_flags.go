package main

import (
	"fmt"
	"net/netip"
)

// panelFlags configure what panels are told.
type panelFlags struct {
	PostbackNetworks []string `help:"Private networks (CIDR) that postbacks of panels and webhooks may reach. Default: none, public addresses alone." env:"VERBATIM_POSTBACK_NETWORKS" placeholder:"CIDR"`
}

// networks returns the private networks that messages to others may reach.
func (f panelFlags) networks() (allowed []netip.Prefix, err error) {
	for _, text := range f.PostbackNetworks {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, usageError(fmt.Sprintf("--postback-networks: %q is not a network such as 10.0.0.0/8", text))
		}
		allowed = append(allowed, network.Masked())
	}
	return allowed, nil
}
