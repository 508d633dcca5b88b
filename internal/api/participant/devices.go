package participant

import (
	"net/http"
	"slices"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guide"
)

// The kinds of device, as a guide's targetPlatforms names them.
const (
	deviceIOS     = "ios"
	deviceAndroid = "android"
	deviceDesktop = "desktop"
)

var devices = []string{deviceDesktop, deviceAndroid, deviceIOS}

// deviceWordKeys maps the kinds of device to the keys of their words.
var deviceWordKeys = map[string]string{deviceDesktop: "deviceDesktop", deviceAndroid: "deviceAndroid", deviceIOS: "deviceIos"}

// deviceOf returns the kind of device that a browser runs on, by its client hints or else its User-Agent. It is "" for
// programs, whose User-Agent does not begin with Mozilla, and for browsers that are not recognized.
//
// unsure is true for Safari on a Mac: an iPad sends the same User-Agent, and only the page can tell them apart.
func deviceOf(h http.Header) (device string, unsure bool) {
	agent := h.Get("User-Agent")
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(agent, word) })
	}
	if !strings.HasPrefix(agent, "Mozilla/") {
		return "", false
	}
	switch strings.ToLower(strings.Trim(h.Get("Sec-Ch-Ua-Platform"), `" `)) {
	case "android":
		return deviceAndroid, false
	case "ios":
		return deviceIOS, false
	case "windows", "macos", "linux", "chrome os", "chromium os":
		if h.Get("Sec-Ch-Ua-Mobile") == "?1" {
			return deviceAndroid, false // it asks for the desktop version of pages
		}
		return deviceDesktop, false
	}
	switch {
	case has("Windows Phone", "Tizen", "Web0S", "PlayStation", "Xbox"):
		return "", false
	case has("iPhone", "iPad", "iPod", "CriOS/", "FxiOS/", "EdgiOS/"):
		return deviceIOS, false
	case has("Android"):
		return deviceAndroid, false
	case has("Macintosh"):
		return deviceDesktop, has("Safari/") && !has("Chrome/", "Chromium/", "Firefox/", "Edg/", "OPR/")
	case has("Windows NT", "X11;", "CrOS "):
		return deviceDesktop, false
	}
	return "", false
}

// platforms returns the kinds of device that a study is for. It is empty for any.
func platforms(g *guide.Guide) []string {
	allowed := slices.DeleteFunc(slices.Clone(devices), func(device string) bool {
		return !slices.Contains(g.Config.TargetPlatforms, device)
	})
	if len(allowed) == len(devices) {
		return []string{}
	}
	return append([]string{}, allowed...)
}

// isUnsupportedDevice reports whether a study is not for the device of a request. Unknown devices are let in, and so is Safari on a
// Mac where iOS is allowed.
func isUnsupportedDevice(g *guide.Guide, h http.Header) bool {
	allowed := platforms(g)
	device, unsure := deviceOf(h)
	return len(allowed) > 0 && device != "" && !slices.Contains(allowed, device) && !(unsure && slices.Contains(allowed, deviceIOS))
}

// unsupportedDevice returns the error for a browser on a device that the study is not for.
func unsupportedDevice(g *guide.Guide) error {
	return httpx.Errorf(http.StatusForbidden, "device_not_supported", "The study can be taken on %s only.", strings.Join(platforms(g), " and "))
}

// checkDevice returns an error for a browser on a device that the study is not for. Programs are not checked.
func (a *API) checkDevice(r *http.Request) error {
	if device, _ := deviceOf(r.Header); device == "" {
		return nil
	}
	landing, err := a.Fieldwork.Study(r.Context(), r.PathValue("linkId"))
	if err == nil && isUnsupportedDevice(landing.Guide, r.Header) {
		err = unsupportedDevice(landing.Guide)
	}
	return err
}

// bootstrapDevice tells the app which devices are allowed.
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
