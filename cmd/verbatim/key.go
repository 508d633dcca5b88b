package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/access"
)

type keyCommands struct {
	Create keyCreate `cmd:"" help:"Create an API key. The key is shown only once."`
	List   keyList   `cmd:"" help:"List an organization's keys."`
	Revoke keyRevoke `cmd:"" help:"Revoke a key, given by its id or the key itself."`
}

type keyCreate struct {
	Org  string `required:"" help:"The organization that the key is scoped to." placeholder:"ID"`
	User string `required:"" help:"The member that the key acts for." placeholder:"ID"`
	Name string `required:"" help:"What the key is for." placeholder:"NAME"`

	Expires  *string `help:"When the key expires: after a number of days (90d), or at the start of a day in UTC (2027-01-31). Default: never." placeholder:"DAYSd|DATE"`
	ReadOnly bool    `help:"Allow only GET and HEAD requests with this key, and questions of the data; others are answered with 403."`
}

// Run creates the key.
func (cmd *keyCreate) Run(ctx context.Context, c *Common) error {
	var expires time.Time
	if cmd.Expires != nil {
		var err error
		if expires, err = parseExpiry(*cmd.Expires, time.Now()); err != nil {
			return err
		}
	}
	return c.withStore(ctx, func(s *store.Store) error {
		limits := org.KeyLimits{ExpiresAt: expires, ReadOnly: cmd.ReadOnly}
		stored, key, err := (&access.Service{Store: s}).CreateLimitedKey(ctx, cmd.Org, cmd.User, cmd.Name, limits)
		if err != nil {
			return err
		}
		return c.print(append(row{{"key", key}}, keyRow(stored)...))
	})
}

// maxKeyDays is the maximum lifetime of a key that is given in days: ten years.
const maxKeyDays = 3660

// parseExpiry parses --expires. An empty value, such as from a variable that a script forgot to set, is refused: the key would never
// expire.
func parseExpiry(text string, now time.Time) (time.Time, error) {
	if days, is := strings.CutSuffix(text, "d"); is {
		if n, err := strconv.Atoi(days); err == nil && n >= 1 && n <= maxKeyDays {
			return now.Add(time.Duration(n) * 24 * time.Hour), nil
		}
	} else if day, err := time.Parse(time.DateOnly, text); err == nil {
		if !day.After(now) {
			return time.Time{}, usageError(fmt.Sprintf("--expires %q is not in the future", text))
		}
		return day, nil
	}
	return time.Time{}, usageError(fmt.Sprintf("--expires %q must be days from 1d to %dd, or a date such as 2027-01-31", text, maxKeyDays))
}

type keyList struct {
	Org string `required:"" help:"The organization's id." placeholder:"ID"`
}

// Run lists the keys.
func (cmd *keyList) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		keys, err := (&access.Service{Store: s}).ListKeys(ctx, cmd.Org)
		if err != nil {
			return err
		}
		var rows []row
		for _, k := range keys {
			rows = append(rows, keyRow(k))
		}
		return c.printAll(rows, "The organization has no keys.")
	})
}

type keyRevoke struct {
	Key string `arg:"" help:"The key's id, or the key."`
}

// Run revokes the key.
func (cmd *keyRevoke) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		k, err := (&access.Service{Store: s}).RevokeKey(ctx, cmd.Key)
		if err != nil {
			return err
		}
		return c.print(keyRow(k))
	})
}

func keyRow(k org.Key) row {
	return row{
		{"id", k.ID},
		{"prefix", k.Prefix},
		{"name", k.Name},
		{"userId", k.UserID},
		{"orgId", k.OrgID},
		{"createdAt", k.CreatedAt},
		{"revokedAt", k.RevokedAt},
		{"expiresAt", k.ExpiresAt},
		{"lastUsedAt", k.LastUsedAt},
		{"readOnly", k.ReadOnly},
	}
}
