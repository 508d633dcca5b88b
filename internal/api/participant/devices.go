package participant

import (
	"net/http"
	"slices"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guide"
)

// The kinds of device, by the words of a guide's targetPlatforms.
const (
	deviceIOS     = "ios"
	deviceAndroid = "android"
	deviceDesktop = "desktop"
)

var devices = []string{deviceDesktop, deviceAndroid, deviceIOS}

// deviceWord are the keys of the words for them.
var deviceWord = map[string]string{deviceDesktop: "deviceDesktop", deviceAndroid: "deviceAndroid", deviceIOS: "deviceIos"}

// deviceOf tells what kind of device a browser says that it runs on: by its client hints, else by its User-Agent. It is
// empty for programs, which do not call themselves Mozilla, and for browsers that say nothing known.
//
// unsure is true for Safari on a Mac: an iPad says the same, and only the page can tell them apart.
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
			return deviceAndroid, false // one that asks for pages as a desktop would get them
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

// platforms are the kinds of device that a study is for; empty: any.
func platforms(g *guide.Guide) []string {
	allowed := slices.DeleteFunc(slices.Clone(devices), func(device string) bool {
		return !slices.Contains(g.Config.TargetPlatforms, device)
	})
	if len(allowed) == len(devices) {
		return []string{}
	}
	return append([]string{}, allowed...)
}

// turnedAway tells whether a study is not for the device of a request. Who may or may not be is let in.
func turnedAway(g *guide.Guide, h http.Header) bool {
	allowed := platforms(g)
	device, unsure := deviceOf(h)
	return len(allowed) > 0 && device != "" && !slices.Contains(allowed, device) && !(unsure && slices.Contains(allowed, deviceIOS))
}

// errDevice answers a browser that begins on a device that the study is not for.
func errDevice(g *guide.Guide) error {
	return httpx.Errorf(http.StatusForbidden, "device_not_supported", "The study can be taken on %s only.", strings.Join(platforms(g), " and "))
}

// checkDevice refuses to begin on a device that a study is not for. Programs are not asked.
func (d *API) checkDevice(r *http.Request) error {
	if device, _ := deviceOf(r.Header); device == "" {
		return nil
	}
	landing, err := d.Fieldwork.Study(r.Context(), r.PathValue("linkId"))
	if err == nil && turnedAway(landing.Guide, r.Header) {
		err = errDevice(landing.Guide)
	}
	return err
}

// bootDevice is what the page tells the app of the restriction.
type bootstrapDevice struct {
	Allowed []string `json:"allowed"` // empty: any
	Unsure  bool     `json:"unsure"`  // the app looks whether this Mac is an iPad
	Link    string   `json:"link"`    // to open elsewhere
}

// Devices say in the page's words what a study can be taken on.
func (p page) Devices() (named []string) {
	for _, device := range p.Allowed {
		named = append(named, p.Words[deviceWord[device]])
	}
	return named
}
