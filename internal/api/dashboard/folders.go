package dashboard

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/authoring"
)

// folderNamed reads a folder that must have a name.
func folderNamed(o *strictjson.Object, key string) []string {
	return o.TextsUpTo(key, strictjson.Required, 1, maxFolders, maxFolderName)
}

type movedJSON struct {
	Moved int64 `json:"moved"`
}

func (a *API) createFolder(c *call) error {
	var path []string
	if err := c.body(func(o *strictjson.Object) { path = folderNamed(o, "folder") }); err != nil {
		return err
	}
	if err := a.Authoring.AddFolder(c.r.Context(), c.caller, path); err != nil {
		return err
	}
	return c.answer(http.StatusCreated, struct {
		Folder []string `json:"folder"`
	}{path})
}

func (a *API) renameFolder(c *call) error {
	var from, to []string
	if err := c.body(func(o *strictjson.Object) { from, to = folderNamed(o, "folder"), folderNamed(o, "to") }); err != nil {
		return err
	}
	moved, err := a.Authoring.RenameFolder(c.r.Context(), c.caller, from, to)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, movedJSON{moved})
}

func (a *API) removeFolder(c *call) error {
	query := httpx.Query(c.r)
	path := folderAsked(query)
	if len(path) == 0 {
		query.Refuse("folder must name a folder.")
	}
	if err := query.Err(); err != nil {
		return err
	}
	moved, err := a.Authoring.RemoveFolder(c.r.Context(), c.caller, path)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, movedJSON{moved})
}

type presentJSON struct {
	Name string `json:"name"`
	Own  bool   `json:"own"`
	Item string `json:"item"`
}

func (a *API) notePresence(c *call) error {
	who, left := authoring.Presence{UserID: c.session.UserID}, false
	if err := c.body(func(o *strictjson.Object) {
		who.Tab = o.NonEmptyUpTo("tab", strictjson.Required, 64)
		who.Item = o.TextUpTo("item", strictjson.Optional, 200)
		left = o.Bool("left", strictjson.Optional)
	}); err != nil {
		return err
	}
	others, err := a.Authoring.Present(c.r.Context(), c.study.Study, who, left)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		People []presentJSON `json:"people"`
	}{list(others, func(p authoring.Presence) presentJSON { return presentJSON{p.UserName, p.UserID == who.UserID, p.Item} })})
}
