package httpx

import (
	"net/http"
	"slices"
	"strings"
)

// nothing is the policy of what is no page: whatever a browser takes it for, nothing in it loads, runs or is framed.
const strictPolicy = "default-src 'none'; frame-ancestors 'none'"

// powers are what a page could ask a browser for and no page here is allowed to, nor what it embeds, unless it says so.
var restrictedFeatures = []string{
	"accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer", "microphone", "midi", "payment", "serial", "usb",
}

// PermissionsPolicy is the value of the header Permissions-Policy that allows a page itself, and nothing that it embeds,
// the named features.
func PermissionsPolicy(allowed ...string) string {
	list := make([]string, 0, len(restrictedFeatures))
	for _, power := range restrictedFeatures {
		to := "()"
		if slices.Contains(allowed, power) {
			to = "(self)"
		}
		list = append(list, power+"="+to)
	}
	return strings.Join(list, ", ")
}

var noFeatures = PermissionsPolicy()

// Secured sets the headers that bound what a browser does with an answer. They are the strictest; a page, or what pages of
// others may show, sets its own.
func WithSecurityHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Content-Security-Policy", strictPolicy)
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Permissions-Policy", noFeatures)
		header.Set("Referrer-Policy", "no-referrer")
		next.ServeHTTP(w, r)
	})
}

// ForAnyOrigin lets pages of any site read an answer and the headers that players of recordings need.
func AllowAnyOrigin(header http.Header) {
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, Retry-After, X-Request-Id")
}
