package keyring

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/maintenance"
)

// Keyring holds the secrets that sign links and cursors. They are stored in one of three places: a variable or file that the operator
// configured, a file beside a SQLite database, or, if servers share a database and nothing is configured, that database. The database
// is the worst place, because each backup of it then holds the secrets.
type Keyring struct {
	store  *store.Store
	source Source
	now    func() time.Time
	ring   atomic.Pointer[signing.Ring]

	loggedError string // the error that was logged last; used by Run only
}

// Database settings. linkSetting and cursorSetting belong to versions that had no rings.
const (
	ringSetting   = "signing_secrets"
	linkSetting   = "media_secret"
	cursorSetting = "cursor_secret"
)

// Settings returns the names of the database settings that hold secrets. Backups leave them out.
func Settings() []string { return []string{ringSetting, linkSetting, cursorSetting} }

const (
	rotateDelay     = 2 * time.Minute  // from a rotation until the new secret signs; longer than servers take to notice it
	rotateOverlap   = 90 * time.Minute // from then until the previous secret expires; longer than the lifetime of a link
	moveOverlap     = 2 * time.Hour    // how long a secret stays valid after the secrets moved elsewhere, while servers are upgraded one by one
	refreshInterval = 30 * time.Second // how often a server checks for a rotation
)

// Source is the place where the operator configured the secrets. The zero value means nowhere.
type Source struct {
	File     string                       // the file that a flag names, which a rotation changes; "" if none
	Variable bool                         // no file is named, and the variable VERBATIM_SECRET is set
	Read     func() (signing.Ring, error) // reads the secrets of File or Variable; nil if there are neither
}

// String names the source; it is "" if there is none.
func (s Source) String() string {
	switch {
	case s.File != "":
		return "the file " + s.File
	case s.Variable:
		return "the variable VERBATIM_SECRET"
	}
	return ""
}

// New returns a keyring that has read no secrets yet. Read and Finding can be called, which change nothing.
func New(s *store.Store, source Source, now func() time.Time) *Keyring {
	return &Keyring{store: s, source: source, now: now}
}

// Open reads the secrets, and creates the first one. It returns the keyring with ErrMissing, too: Rotate can make another secret.
func Open(ctx context.Context, s *store.Store, source Source) (_ *Keyring, err error) {
	defer operation.Wrap(&err, "keyring.Open")
	k := New(s, source, s.Now)
	return k, k.refresh(ctx)
}

// Unstored returns a keyring with a random secret that is stored nowhere. It signs links that nobody will open.
func Unstored(s *store.Store) *Keyring {
	k, ring := New(s, Source{}, s.Now), signing.NewRing(newSigningKey())
	k.ring.Store(&ring)
	return k
}

// Ring returns the current secrets.
func (k *Keyring) Ring() signing.Ring { return *k.ring.Load() }

// Now returns the time by which secrets begin and end.
func (k *Keyring) Now() time.Time { return k.now() }

// Run checks for rotations until ctx ends.
func (k *Keyring) Run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(refreshInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			k.reload(ctx, log)
		}
	}
}

// reload reads the secrets again. If that fails, the previous secrets stay in use, and each new error is logged once.
func (k *Keyring) reload(ctx context.Context, log *slog.Logger) {
	err := k.refresh(ctx)
	if ctx.Err() != nil {
		return
	}
	message := ""
	if err != nil {
		message = err.Error()
	}
	if message != k.loggedError && message != "" {
		log.Warn("the secrets that sign links could not be read again; the previous ones stay in use", "error", message)
	} else if message != k.loggedError {
		log.Info("the secrets that sign links can be read again", "place", k.Location())
	}
	k.loggedError = message
}

// refresh reads the secrets, and moves those in the database to the place where they are stored now. If nothing was ever signed, the
// first call creates a secret. Later calls keep the present secrets if the new ones cannot be read, or fail checkContinuity.
func (k *Keyring) refresh(ctx context.Context) error {
	given, err := k.configured()
	if err != nil {
		return err
	}
	ring, file := given, k.sidecarFile()
	switch {
	case len(given.Keys()) > 0:
		kept, err := k.changeStored(ctx, func(stored signing.Ring) (signing.Ring, error) {
			return stored.Ending(k.now().Add(moveOverlap)), nil
		})
		if err != nil {
			return err
		}
		if err := k.checkContinuity(ctx, given); err != nil {
			return err
		}
		ring = ring.With(kept, k.now())
	case file != "":
		if ring, err = k.fromFile(ctx, file); err != nil {
			return err
		}
	default:
		ring, err = k.changeStored(ctx, func(stored signing.Ring) (signing.Ring, error) {
			if _, ok := stored.Signer(k.now()); ok {
				return stored, nil
			}
			return signing.NewRing(newSigningKey()).With(stored, k.now()), nil
		})
		if err != nil {
			return err
		}
	}
	if _, ok := ring.Signer(k.now()); !ok {
		return fmt.Errorf("%s: none of its secrets may sign now; check from and until", k.Location())
	}
	k.ring.Store(&ring)
	return nil
}

// checkContinuity returns an error if a ring holds none of the secrets that this server has, and no rotation replaced them.
func (k *Keyring) checkContinuity(ctx context.Context, ring signing.Ring) error {
	before := k.ring.Load()
	if before == nil {
		return nil
	}
	ids := map[string]bool{}
	for _, key := range before.Keys() {
		ids[key.ID()] = true
	}
	made, err := k.store.View().Setting(ctx, store.SecretMadeSetting)
	if err != nil {
		return err
	}
	for _, key := range ring.Keys() {
		if ids[key.ID()] || key.ID() == made {
			return nil
		}
	}
	return fmt.Errorf("%s: it holds none of the current secrets, and its secrets do not come from \"verbatim secret rotate --at-once\": add the earlier ones "+
		"after the new ones, or restart the server, which breaks all existing links", k.Location())
}

// Read returns the stored secrets and changes nothing.
func (k *Keyring) Read(ctx context.Context) (_ signing.Ring, err error) {
	defer operation.Wrap(&err, "keyring.Keyring.Read")
	ring, err := k.configured()
	if err != nil {
		return ring, err
	}
	stored, _, err := k.stored(ctx, k.store.View())
	if err != nil {
		return ring, err
	}
	if file := k.sidecarFile(); file != "" && len(ring.Keys()) == 0 {
		if ring, err = readRing(file); errors.Is(err, fs.ErrNotExist) {
			err = k.missingFileError(ctx, file)
		}
		if err != nil {
			return ring, err
		}
	}
	if ring = ring.With(stored, k.now()); len(ring.Keys()) == 0 {
		return ring, fmt.Errorf("%s holds no secret that signs links yet: the first \"verbatim serve\" creates it", k.Location())
	}
	return ring, nil
}

// missingFileError returns the error for a missing file beside the database: ErrMissing if a secret in it has signed before.
func (k *Keyring) missingFileError(ctx context.Context, file string) error {
	made, err := k.store.View().Setting(ctx, store.SecretMadeSetting)
	if err != nil {
		return err
	}
	if made == "" {
		return fmt.Errorf("there is no file %s: no secret that signs links exists yet; the first \"verbatim serve\" creates it", file)
	}
	return fmt.Errorf("%w: there is no file %s; %s", ErrMissing, file, missingSecretMend)
}

// ErrMissing means that a secret that was in use is gone. Creating another one would break the links that it signed.
var ErrMissing = errors.New("the secret that signs links is missing")

const missingSecretMend = `restore it from your copy; if there is none, run verbatim secret rotate --at-once, which creates a new one and breaks all existing links`

// recordMade stores the id of a new secret, so that a lost secret is not silently replaced. The id itself is not secret.
func (k *Keyring) recordMade(ctx context.Context, id string) error {
	return k.store.Write(ctx, func(tx *store.Tx) error {
		old, err := tx.Setting(ctx, store.SecretMadeSetting)
		if err != nil {
			return err
		}
		return tx.ChangeSetting(ctx, store.SecretMadeSetting, old, id)
	})
}

// configured returns the secrets that the operator configured, or an empty ring if there are none.
func (k *Keyring) configured() (signing.Ring, error) {
	if k.source.Read == nil {
		return signing.Ring{}, nil
	}
	return k.source.Read()
}

// sidecarFile returns the name of the file beside a SQLite database, or "" for PostgreSQL.
func (k *Keyring) sidecarFile() string {
	database, ok := k.store.File()
	if !ok {
		return ""
	}
	return filepath.Join(filepath.Dir(database), "signing-secret")
}

// Location describes where the secrets are stored.
func (k *Keyring) Location() string {
	if configured := k.source.String(); configured != "" {
		return configured
	}
	if file := k.sidecarFile(); file != "" {
		return "the file " + file
	}
	return k.store.String()
}

// InDatabase reports whether the secrets are stored in the database.
func (k *Keyring) InDatabase() bool {
	return k.source.String() == "" && k.sidecarFile() == ""
}

// Finding checks where the secrets are stored and whether they can be used. It changes nothing.
func (k *Keyring) Finding(ctx context.Context) (_ maintenance.Finding, err error) {
	defer operation.Wrap(&err, "keyring.Keyring.Finding")
	f := maintenance.Finding{Check: "signing secret in " + k.Location(), Advice: true, Remedy: `see "Secrets" in docs/self-hosting.md`}
	if _, err := k.configured(); err != nil {
		f.Violations, f.Advice = []string{err.Error()}, false
		return f, nil
	}
	if file := k.sidecarFile(); file != "" && k.source.String() == "" {
		switch info, err := os.Stat(file); {
		case errors.Is(err, fs.ErrNotExist):
			if err := k.missingFileError(ctx, file); errors.Is(err, ErrMissing) { // else the first start creates it
				f.Violations, f.Advice, f.Remedy = append(f.Violations, "the file is missing, and with it the secret that signed the existing links"), false, missingSecretMend
			}
		case err != nil:
			return f, err
		case info.Mode().Perm()&0o077 != 0:
			f.Violations = append(f.Violations, fmt.Sprintf("other users than its owner can read it (%v); run: chmod 600 %s", info.Mode().Perm(), file))
		default:
			if _, err := readRing(file); err != nil {
				f.Violations, f.Advice = append(f.Violations, err.Error()), false
			}
		}
	}
	var inDatabase []string
	for _, name := range Settings() {
		value, err := k.store.View().Setting(ctx, name)
		if err != nil {
			return f, err
		}
		if value != "" {
			inDatabase = append(inDatabase, name)
		}
	}
	switch {
	case k.InDatabase():
		f.Violations = append(f.Violations, "it is kept in the database, so each backup of the database holds it: set it by --secret-file or VERBATIM_SECRET on every server")
	case len(inDatabase) > 0:
		f.Violations = append(f.Violations, fmt.Sprintf("the database still holds earlier secrets (%s): a running server removes them within two hours", strings.Join(inDatabase, ", ")))
	}
	return f, nil
}

// Links returns what signs and checks links under the public address of the service.
func (k *Keyring) Links(base string) blob.Links {
	return blob.Links{Base: base, Keys: k.Ring, Now: k.now}
}
