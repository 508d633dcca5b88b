package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/auditlog"
)

type auditCommands struct {
	List   auditList   `cmd:"" help:"List the latest entries of an organization's audit log."`
	Export auditExport `cmd:"" help:"Write an organization's audit log into a file, as CSV or JSON lines."`
	Verify auditVerify `cmd:"" help:"Check that no entry of an audit log is missing or was changed. A server may be running."`
}

// auditFlags select entries of an audit log.
type auditFlags struct {
	Org    string `required:"" help:"The organization's id." placeholder:"ID"`
	User   string `help:"Only what this person did, by the user's id; operator: only what the operator or the program did." placeholder:"ID"`
	Action string `help:"Only this action, such as recording.played." placeholder:"ACTION"`
	Since  string `help:"From the start of this day (UTC), such as 2027-01-31." placeholder:"DATE"`
	Until  string `help:"To the end of this day (UTC)." placeholder:"DATE"`
}

func (f auditFlags) filter() (filter org.AuditFilter, err error) {
	filter.UserID, filter.Action = f.User, f.Action
	if f.User == "operator" {
		filter.UserID, filter.ByOperator = "", true
	}
	if filter.Since, err = parseDay("--since", f.Since); err != nil {
		return filter, err
	}
	if filter.Until, err = parseDay("--until", f.Until); err == nil && !filter.Until.IsZero() {
		filter.Until = filter.Until.AddDate(0, 0, 1)
	}
	return filter, err
}

type auditList struct {
	auditFlags
	Last int `help:"Maximum number of entries, the latest." default:"50" placeholder:"N"`
}

// Run lists entries, the latest first.
func (cmd *auditList) Run(ctx context.Context, c *Common) error {
	filter, err := cmd.filter()
	if err != nil {
		return err
	}
	if cmd.Last < 1 {
		return usageError("--last must be at least 1")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		if _, err := s.View().Org(ctx, cmd.Org); err != nil {
			return err
		}
		entries, err := s.View().AuditLog(ctx, cmd.Org, filter, 0, cmd.Last)
		if err != nil {
			return err
		}
		var rows []row
		for _, e := range entries {
			detail, err := json.Marshal(e.Detail)
			if err != nil {
				return err
			}
			rows = append(rows, row{
				{"number", e.Seq},
				{"at", toSecond(e.At)},
				{"userId", e.UserID},
				{"user", e.UserName},
				{"action", e.Action},
				{"subject", e.Subject},
				{"subjectName", e.SubjectName},
				{"detail", string(detail)},
			})
		}
		return c.printAll(rows, "No entries found.")
	})
}

type auditExport struct {
	auditFlags
	Format string `help:"csv or jsonl." default:"csv" enum:"csv,jsonl" placeholder:"FORMAT"`
	Output string `help:"File to write; - for standard output. Default: audit-ORG-DAY.FORMAT, which must not exist yet." short:"o" placeholder:"FILE"`
}

// Run writes the log into a file.
func (cmd *auditExport) Run(ctx context.Context, c *Common) error {
	filter, err := cmd.filter()
	if err != nil {
		return err
	}
	return c.withStore(ctx, func(s *store.Store) (err error) {
		logs := &auditlog.Service{Store: s}
		if cmd.Output == "-" {
			to, _ := c.stdout.raw()
			_, err := logs.Export(ctx, cmd.Org, "", cmd.Format, filter, to)
			return err
		}
		name, flag := cmd.Output, os.O_TRUNC
		if name == "" {
			name, flag = auditlog.FileName(cmd.Org, cmd.Format, time.Now()), os.O_EXCL
			if _, err := s.View().Org(ctx, cmd.Org); err != nil {
				return err
			}
		}
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|flag, 0o600)
		if errors.Is(err, os.ErrExist) {
			return fmt.Errorf("%s exists already: remove it, or name a file by -o", name)
		}
		if err != nil {
			return err
		}
		written, err := logs.Export(ctx, cmd.Org, "", cmd.Format, filter, file)
		if err = errors.Join(err, file.Close()); err != nil {
			_ = os.Remove(name) // the error says what is wrong
			return err
		}
		return c.print(row{{"file", name}, {"entries", written}})
	})
}

type auditVerify struct {
	Org   string `help:"Only the audit log of this organization, by its id." placeholder:"ID"`
	Known string `help:"An entry that was printed by an earlier check and kept elsewhere, as NUMBER:HASH: the log must still have it. Needs --org." placeholder:"ENTRY"`
}

// Run prints the result for each log, and returns an error if something is wrong.
func (cmd *auditVerify) Run(ctx context.Context, c *Common) error {
	var known org.AuditMark
	if cmd.Known != "" {
		var err error
		if known, err = org.ParseAuditMark(cmd.Known); err != nil {
			return usageError("--known: " + err.Error())
		}
		if cmd.Org == "" {
			return usageError("--known needs --org: an entry is of one organization")
		}
	}
	return c.withDatabase(ctx, func(s *store.Store) error {
		all, err := (&auditlog.Service{Store: s}).Verify(ctx, cmd.Org, known)
		if err != nil {
			return err
		}
		var rows []row
		wrong := 0
		for _, one := range all {
			shown := row{{"orgId", one.OrgID}, {"state", "ok"}, {"entries", one.Entries}, {"last", fmt.Sprintf("%d:%s", one.Entries, one.Hash)}, {"fault", nil}}
			if one.Entries == 0 {
				shown[3].value = nil
			}
			for _, violation := range one.Violations {
				shown[1].value, shown[4].value = "wrong", violation
				rows = append(rows, append(row{}, shown...))
			}
			if len(one.Violations) == 0 {
				rows = append(rows, shown)
				continue
			}
			wrong++
		}
		if err := c.printAll(rows, "There is no organization yet."); err != nil {
			return err
		}
		if wrong > 0 {
			return fmt.Errorf("%s found something wrong", counted(wrong, "check"))
		}
		return nil
	})
}
