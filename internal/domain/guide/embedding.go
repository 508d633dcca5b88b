package guide

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"

	"verbatim/internal/domain/strictjson"
)

// MaxOrigins bounds the sites that may show a study's pages inside theirs.
const MaxOrigins = 20

// Embedding allows other sites to show a study's pages inside theirs. It is an extension of the contract by this program: the object
// embedding of config.verbatim. The zero value allows none.
type Embedding struct {
	AllowedOrigins []string // such as https://panel.example.com; nil: none
}

// embedding reads config.verbatim.embedding.
func (d *decoder) embedding(o *strictjson.Object) Embedding {
	origins := o.TextsUpTo("allowedOrigins", strictjson.Required, 0, d.upTo(MaxOrigins), d.upTo(MaxURL))
	if len(origins) == 0 {
		return Embedding{}
	}
	return Embedding{AllowedOrigins: origins}
}

// hostName matches what stands in a Content-Security-Policy as it is: labels of letters, digits and hyphens in lower case.
var hostName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)

// isEmbeddingOrigin reports whether text is an origin as a browser writes it: https, a host, and a port unless it is the usual one.
// http is allowed for this machine alone, to try a study out.
func isEmbeddingOrigin(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme+"://"+u.Host != text || !hostName.MatchString(u.Hostname()) {
		return false
	}
	if port := u.Port(); port != "" {
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil || number == 0 || strconv.FormatUint(number, 10) != port || port == map[string]string{"https": "443", "http": "80"}[u.Scheme] {
			return false
		}
	} else if u.Host != u.Hostname() {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1")
}

// embeddingNamesOrigins checks that every allowed origin is one, and stands there once.
func embeddingNamesOrigins(r *rules) {
	origins := r.guide.Config.Embedding.AllowedOrigins
	for i, origin := range origins {
		place := "config.verbatim.embedding.allowedOrigins[" + strconv.Itoa(i) + "]"
		if !isEmbeddingOrigin(origin) {
			r.report(place, "%s is not the origin of a site, such as https://panel.example.com: https, a host in lower case, no path and no *", quote(origin))
		} else if first := slices.Index(origins, origin); first < i {
			r.report(place, "%s is already named by allowedOrigins[%d]", quote(origin), first)
		}
	}
}
