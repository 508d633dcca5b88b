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
	DeviceIOS     = "ios"
	DeviceAndroid = "android"
	DeviceDesktop = "desktop"
)

var devices = []string{DeviceDesktop, DeviceAndroid, DeviceIOS}

// DeviceOf returns the kind of device that a browser runs on, by its client hints or else its User-Agent. It is "" for
// programs, whose User-Agent does not begin with Mozilla, and for browsers that are not recognized.
//
// unsure is true for Safari on a Mac: an iPad sends the same User-Agent, and only the page can distinguish them.
func DeviceOf(h http.Header) (device string, unsure bool) {
	agent := h.Get("User-Agent")
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(agent, word) })
	}
	if !strings.HasPrefix(agent, "Mozilla/") {
		return "", false
	}
	switch strings.ToLower(strings.Trim(h.Get("Sec-Ch-Ua-Platform"), `" `)) {
	case "android":
		return DeviceAndroid, false
	case "ios":
		return DeviceIOS, false
	case "windows", "macos", "linux", "chrome os", "chromium os":
		if h.Get("Sec-Ch-Ua-Mobile") == "?1" {
			return DeviceAndroid, false // it asks for the desktop version of pages
		}
		return DeviceDesktop, false
	}
	switch {
	case has("Windows Phone", "Tizen", "Web0S", "PlayStation", "Xbox"):
		return "", false
	case has("iPhone", "iPad", "iPod", "CriOS/", "FxiOS/", "EdgiOS/"):
		return DeviceIOS, false
	case has("Android"):
		return DeviceAndroid, false
	case has("Macintosh"):
		return DeviceDesktop, has("Safari/") && !has("Chrome/", "Chromium/", "Firefox/", "Edg/", "OPR/")
	case has("Windows NT", "X11;", "CrOS "):
		return DeviceDesktop, false
	}
	return "", false
}

// Platforms returns the kinds of device that a study is for. It is empty for any. Phones and tablets cannot record their screen.
func Platforms(g *guide.Guide) []string {
	if g.RecordsScreen() {
		return []string{DeviceDesktop}
	}
	allowed := slices.DeleteFunc(slices.Clone(devices), func(device string) bool {
		return !slices.Contains(g.Config.TargetPlatforms, device)
	})
	if len(allowed) == len(devices) {
		return []string{}
	}
	return append([]string{}, allowed...)
}

// IsUnsupportedDevice reports whether a study is not for the device of a request. Unknown devices are let in, and so is Safari on a
// Mac where iOS is allowed.
func IsUnsupportedDevice(g *guide.Guide, h http.Header) bool {
	allowed := Platforms(g)
	device, unsure := DeviceOf(h)
	return len(allowed) > 0 && device != "" && !slices.Contains(allowed, device) && !(unsure && slices.Contains(allowed, DeviceIOS))
}

// unsupportedDevice returns the error for a browser on a device that the study is not for.
func unsupportedDevice(g *guide.Guide) error {
	return httpx.Errorf(http.StatusForbidden, "device_not_supported", "The study can be taken on %s only.", strings.Join(Platforms(g), " and "))
}

// CheckDevice returns an error for a browser on a device that the study is not for. Programs are not checked.
func (a *API) CheckDevice(r *http.Request) error {
	if device, _ := DeviceOf(r.Header); device == "" {
		return nil
	}
	landing, err := a.Fieldwork.Visit(r.Context(), r.PathValue("linkId"), r.URL.RawQuery)
	if err == nil && IsUnsupportedDevice(landing.Guide, r.Header) {
		err = unsupportedDevice(landing.Guide)
	}
	return err
}
