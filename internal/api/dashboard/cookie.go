package dashboard

import (
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/org"
)

// Cookie is how the cookie of a session is set.
type Cookie struct {
	name   string
	secure bool
}

// CookieFor returns the cookie for an installation with a public address. Browsers keep the cookies of https, and those of http on the
// local machine, only with the prefix __Host-, which binds them to this host. On other http addresses they drop such a cookie: there,
// insecure allows one without the prefix, which everybody on the network can read. works reports whether browsers keep the cookie.
func CookieFor(baseURL string, insecure bool) (c Cookie, works bool) {
	u, err := url.Parse(baseURL)
	safe := err == nil && (u.Scheme == "https" || isLocal(u.Hostname()))
	if !safe && insecure {
		return Cookie{name: "verbatim"}, true
	}
	return Cookie{name: "__Host-verbatim", secure: true}, safe
}

// Safe reports whether the cookie is kept from the network and from other hosts.
func (k Cookie) Safe() bool { return k.secure }

// isLocal reports whether a host is the browser's own machine, which browsers trust without TLS.
func isLocal(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	address := net.ParseIP(host)
	return address != nil && address.IsLoopback()
}

// value returns the token of a request's session; empty without one.
func (k Cookie) value(r *http.Request) string {
	cookie, err := r.Cookie(k.name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// set makes the browser keep a session's token.
func (k Cookie) set(w http.ResponseWriter, token string) {
	k.write(w, token, int(org.SessionMax.Seconds()))
}

// clear makes the browser forget the token.
func (k Cookie) clear(w http.ResponseWriter) { k.write(w, "", -1) }

func (k Cookie) write(w http.ResponseWriter, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{
		Name: k.name, Value: value, Path: "/", MaxAge: maxAge, Secure: k.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// ceilSeconds returns d in seconds, rounded up.
func ceilSeconds(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Seconds()))) }
