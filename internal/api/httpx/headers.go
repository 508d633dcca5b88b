package httpx

import (
	"net/http"
	"slices"
	"strings"
)

// strictPolicy is the Content-Security-Policy of answers that are not pages: whatever a browser takes them for, they load
// nothing, run nothing and are not framed.
const strictPolicy = "default-src 'none'; frame-ancestors 'none'"

// restrictedFeatures are the browser features that are denied to pages, and to what they embed, unless a page allows itself
// one.
var restrictedFeatures = []string{
	"accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer", "microphone", "midi", "payment", "serial", "usb",
}

// PermissionsPolicy returns the value of a Permissions-Policy header that allows the named features to the page itself, but
// to nothing that it embeds.
func PermissionsPolicy(allowed ...string) string {
	list := make([]string, 0, len(restrictedFeatures))
	for _, feature := range restrictedFeatures {
		to := "()"
		if slices.Contains(allowed, feature) {
			to = "(self)"
		}
		list = append(list, feature+"="+to)
	}
	return strings.Join(list, ", ")
}

var noFeatures = PermissionsPolicy()

// WithSecurityHeaders sets the strictest values of the headers that limit what a browser does with an answer. Pages, and
// files that pages of other sites may show, set their own.
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

// AllowAnyOrigin lets pages of any site read an answer and the headers that players of recordings need.
func AllowAnyOrigin(header http.Header) {
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, Retry-After, X-Request-Id")
}
