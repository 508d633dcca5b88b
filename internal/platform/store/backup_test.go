package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestBackupWhileWriting backs up a database while others write to it, and uses the copy in its place: it is complete, and
// what was deleted stays deleted.
func TestBackupWhileWriting(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), t.TempDir()
	sc := storetest.NewScene(t, storetest.Open(t, storetest.SQLiteAddress(t), store.Options{}))
	kept, erased := fullResponse(t, sc, canary(1), 5000), fullResponse(t, sc, canary(2), 5000)
	d := remove(t, sc.Store, erased)

	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			err := sc.Store.Write(ctx, func(tx *store.Tx) error {
				_, err := tx.CreateOrg(ctx, "Written meanwhile")
				return err
			})
			if err != nil {
				stopped <- err
				return
			}
		}
	}()
	file := filepath.Join(dir, "backup.db")
	err := sc.Store.Backup(ctx, file)
	close(stop)
	if writing := <-stopped; writing != nil {
		t.Errorf("writing beside the backup: %v", writing)
	}
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the copy: %v, %v: others can read what participants said", info, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("files beside the copy: %v, %v", files, err)
	}
	if len(remains(t, dir, canary(1))) == 0 || len(remains(t, dir, canary(2))) > 0 {
		t.Errorf("the copy holds %v of what is kept, and %v of what was deleted", remains(t, dir, canary(1)), remains(t, dir, canary(2)))
	}

	restored := storetest.Open(t, "sqlite:"+file, store.Options{})
	if _, err := restored.View().ItemByResponse(ctx, sc.Study.ID, kept.ID); err != nil {
		t.Errorf("what was kept: %v", err)
	}
	if _, err := restored.View().ItemByResponse(ctx, sc.Study.ID, erased.ID); !errors.Is(err, response.ErrNotFound) {
		t.Errorf("what was deleted: %v", err)
	}
	if got, err := restored.View().Deletion(ctx, sc.Org.ID, d.ID); err != nil || got.ResponseID != erased.ID {
		t.Errorf("the receipt: %+v, %v", got, err)
	}
	if err := restored.Write(ctx, func(tx *store.Tx) error {
		return tx.PutItem(ctx, store.Item{StudyID: sc.Study.ID, ReadableID: erased.ReadableID, ResponseID: erased.ID, UpdatedAt: time.Now()})
	}); !errors.Is(err, response.ErrGone) {
		t.Errorf("work of before the deletion brings it back: %v", err)
	}
	audit(ctx, t, restored)
}

// TestBackupOfEitherEngine: a backup of any engine is a SQLite file that contains everything but the secrets.
func TestBackupOfEitherEngine(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), t.TempDir()
	s := storetest.New(t)
	sc := filled(t, s)
	const secret = "secret-that-signs-links-and-that-no-backup-holds"
	storetest.Write(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.ChangeSetting(ctx, "signing_secrets", "", secret), tx.ChangeSetting(ctx, store.SecretMadeSetting, "", "id-of-it"))
	})
	file := filepath.Join(dir, "backup.db")
	if err := s.Backup(ctx, file, "signing_secrets"); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("files beside the copy: %v, %v", files, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the copy: %v, %v: others can read what participants said", info, err)
	}
	for _, word := range []string{secret, "id-of-it"} {
		if where := remains(t, dir, word); len(where) > 0 {
			t.Errorf("%v hold %s", where, word)
		}
	}
	left := []string{"signing_secrets", store.SecretMadeSetting}
	of := func(s *store.Store) (all []store.CopiedTable) {
		t.Helper()
		all, err := s.Copy(ctx, empty(t, storetest.SQLiteAddress(t)), store.CopyOptions{Source: "it", LeaveOut: left})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	restored := storetest.Open(t, "sqlite:"+file, store.Options{})
	if diff := cmp.Diff(of(s), of(restored)); diff != "" {
		t.Errorf("the backup differs:\n%s", diff)
	}
	if st, err := restored.View().StudyByLink(ctx, sc.Org.ID, sc.Study.LinkID); err != nil || st.ID != sc.Study.ID {
		t.Errorf("the study's link leads to %+v, %v", st, err)
	}
	audit(ctx, t, restored)
}

func TestBackupOverwritesNothing(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLiteAddress(t), store.Options{})
	dir := t.TempDir()
	file := filepath.Join(dir, "mine")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), file); !errors.Is(err, store.ErrFileExists) {
		t.Errorf("Backup = %v", err)
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "mine" {
		t.Errorf("the file now holds %q, %v", content, err)
	}
	if err := s.Backup(t.Context(), filepath.Join(dir, "none", "b.db")); err == nil {
		t.Error("a backup into a folder that does not exist gives no error")
	}
	// What an earlier backup left halfway does not get in the way.
	if err := os.WriteFile(filepath.Join(dir, "b.db.partial"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), filepath.Join(dir, "b.db")); err != nil {
		t.Error(err)
	}
}
