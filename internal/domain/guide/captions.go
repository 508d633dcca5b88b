package guide

import (
	"slices"
	"strconv"

	"verbatim/internal/domain/strictjson"
)

// MaxCaptions bounds the caption files of a study: five languages for each of a hundred videos.
const MaxCaptions = 500

// Captions are the words of a video as a WebVTT file. They are an extension of the contract by this program: the list captions of
// config.verbatim.
type Captions struct {
	MediaURL string // of the video in the guide
	URL      string // of the WebVTT file
	Language string // a code of Languages
}

// captions reads an element of config.verbatim.captions.
func (d *decoder) captions(o *strictjson.Object) Captions {
	return Captions{
		MediaURL: o.URL("mediaUrl", strictjson.Required, d.upTo(MaxURL)),
		URL:      o.URL("url", strictjson.Required, d.upTo(MaxURL)),
		Language: o.Enum("language", strictjson.Required, Languages),
	}
}

// CaptionsOf returns the caption files of the video at an address.
func (g *Guide) CaptionsOf(mediaURL string) (all []Captions) {
	for _, c := range g.Config.Captions {
		if c.MediaURL == mediaURL {
			all = append(all, c)
		}
	}
	return all
}

// captionsNameVideos checks that captions belong to a video of the guide, and that a video has them once in each language.
func captionsNameVideos(r *rules) {
	all := r.guide.Config.Captions
	if len(all) == 0 {
		return
	}
	videos := map[string]bool{}
	note := func(media []Media) {
		for i := range media {
			if media[i].Type == "video" {
				videos[media[i].URL] = true
			}
		}
	}
	for b := range r.guide.Blocks {
		for i := range r.guide.Blocks[b].Items {
			note(r.guide.Blocks[b].Items[i].Media)
		}
		for c := range r.guide.Blocks[b].Concepts() {
			note(r.guide.Blocks[b].Sampling.Concepts[c].Media)
		}
	}
	for i, c := range all {
		place := "config.verbatim.captions[" + strconv.Itoa(i) + "]"
		same := func(other Captions) bool { return other.MediaURL == c.MediaURL && other.Language == c.Language }
		if !videos[c.MediaURL] {
			r.report(place+".mediaUrl", "no video of the guide has the address %s", quote(c.MediaURL))
		} else if first := slices.IndexFunc(all, same); first < i {
			r.report(place+".language", "captions[%d] has the captions of this video in %s already", first, quote(c.Language))
		}
	}
}
