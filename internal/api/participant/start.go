package participant

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"verbatim/internal/api/locale"
	"verbatim/internal/domain/response"
	"verbatim/internal/service/access"
	"verbatim/internal/service/fieldwork"
)

// StartRequest returns the interview that a request asks to start.
func StartRequest(r *http.Request, language, key string) fieldwork.StartRequest {
	return fieldwork.StartRequest{
		LinkID: r.PathValue("linkId"), Query: r.URL.RawQuery, Language: language, Key: key, From: networksOf(r.Context()),
	}
}

// networksOf returns the client's networks, whose limits a start counts towards.
func networksOf(ctx context.Context) (from []response.Network) {
	for _, network := range access.ClientOf(ctx) {
		from = append(from, response.Network(network))
	}
	return from
}

// LanguageParam is the query parameter that the language switch sets. Parameters that begin with an underscore are the
// service's own.
const LanguageParam = "_language"

// ChosenLanguage returns the language that the link's parameter asks for, else the one that the browser's user prefers among those offered, or
// the study's own.
func ChosenLanguage(landing fieldwork.Landing, r *http.Request) string {
	if language := r.URL.Query().Get(LanguageParam); slices.Contains(landing.Accepted, language) {
		return language
	}
	return cmp.Or(locale.Preferred(r.Header.Get("Accept-Language"), landing.Languages), landing.Languages[0])
}
