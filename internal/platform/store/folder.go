package store

import (
	"context"

	"verbatim/internal/domain/study"
)

// AddFolder stores a folder that stays when no study is in it, and reports whether it is new.
func (tx *Tx) AddFolder(ctx context.Context, orgID string, path []string) (added bool, err error) {
	folder, err := folderText(path)
	if err != nil {
		return false, err
	}
	n, err := tx.exec(ctx, `insert into study_folder (org_id, folder_path, created_at)
		values ($1, $2, $3)
		on conflict (org_id, folder_path) do nothing`, orgID, folder, micros(tx.at))
	return n > 0, err
}

// MoveFolder puts every study of a folder, those in the trash as well, into another one, or into none where to is empty, and removes the folder.
// It returns how many were moved; study.ErrNoFolder if there is no such folder.
func (tx *Tx) MoveFolder(ctx context.Context, orgID string, from, to []string) (moved int64, err error) {
	before, err := folderText(from)
	if err != nil {
		return 0, err
	}
	after, err := folderText(to)
	if err != nil {
		return 0, err
	}
	made, err := tx.exec(ctx, `delete from study_folder where org_id = $1 and folder_path = $2`, orgID, before)
	if err != nil {
		return 0, err
	}
	moved, err = tx.exec(ctx, `update study set folder_path = $3, updated_at = $4 where org_id = $1 and folder_path = $2`, orgID, before, after, micros(tx.at))
	if err == nil && made+moved == 0 {
		err = study.ErrNoFolder
	}
	if err == nil && len(to) > 0 {
		_, err = tx.AddFolder(ctx, orgID, to)
	}
	return moved, err
}
