package fieldwork

import (
	"strconv"
	"strings"

	"verbatim/internal/interview"
	"verbatim/internal/strictjson"
)

// unknownUploads finds the upload ids in an answer that no upload of this interview has. There is no way to upload yet,
// so that is every one of them.
func unknownUploads(a *interview.Answer) (issues []strictjson.Issue) {
	unknown := func(id string, path ...string) {
		if id != "" && len(issues) < strictjson.MaxIssues {
			issues = append(issues, strictjson.Issue{
				Path: path, Message: "No upload of this interview has this id", Code: strictjson.Custom,
				Expected: "the id of an upload", Received: "an unknown id",
			})
		}
	}
	for i, id := range a.Uploads {
		unknown(id, "uploads", strconv.Itoa(i))
	}
	unknown(a.Recordings.Audio, "recordings", "audio")
	unknown(a.Recordings.Video, "recordings", "video")
	unknown(a.Recordings.ScreenVideo, "recordings", "screenVideo")
	return issues
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
