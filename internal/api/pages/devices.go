package pages

import "verbatim/internal/api/participant"

// deviceWordKeys maps the kinds of device to the keys of their words.
var deviceWordKeys = map[string]string{
	participant.DeviceDesktop: "deviceDesktop", participant.DeviceAndroid: "deviceAndroid", participant.DeviceIOS: "deviceIos",
}

// bootstrapDevice has the allowed devices, for the app.
type bootstrapDevice struct {
	Allowed []string `json:"allowed"` // empty: any
	Unsure  bool     `json:"unsure"`  // the app has to check whether this Mac is an iPad
	Link    string   `json:"link"`    // of the study, to open on another device
}

// Devices returns the devices that a study can be taken on, in the page's words.
func (p page) Devices() (names []string) {
	for _, device := range p.Allowed {
		names = append(names, p.Words[deviceWordKeys[device]])
	}
	return names
}
