package tus

import (
	"encoding/base64"
	"strings"

	"verbatim/internal/api/httpx"
)

// maxMetadata is the maximum length of the header Upload-Metadata, in bytes.
const maxMetadata = 4096

// readMetadata parses pairs of a name and a base64 value. It refuses anything that could not be returned as a header again.
func readMetadata(header string) (map[string]string, error) {
	if header == "" {
		return nil, nil
	}
	wrong := httpx.BadRequest("Upload-Metadata must be pairs of a name and a value in base64, joined by commas; at most %d bytes.", maxMetadata)
	if len(header) > maxMetadata || strings.ContainsFunc(header, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, wrong
	}
	values := map[string]string{}
	for pair := range strings.SplitSeq(header, ",") {
		name, encoded, _ := strings.Cut(strings.TrimSpace(pair), " ")
		value, err := base64.StdEncoding.DecodeString(encoded)
		if _, twice := values[name]; twice || name == "" || err != nil {
			return nil, wrong
		}
		values[name] = string(value)
	}
	return values, nil
}
