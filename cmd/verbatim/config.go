package main

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// configCommand takes the flags of serve, so that a command line can be tried out first.
type configCommand struct{ serveCommand }

// masked is printed in place of a secret.
const masked = "****"

// Run prints every setting with its value and its source. Secrets are masked. Values that serve would refuse are a usage error after that.
func (cmd *configCommand) Run(c *Common) error {
	given := map[string]bool{}
	for _, path := range c.parsed.Path {
		if path.Flag != nil && !path.Resolved {
			given[path.Flag.Name] = true
		}
	}
	var rows []row
	for _, flags := range c.parsed.Selected().AllFlags(false) {
		for _, flag := range flags {
			if len(flag.Envs) == 0 {
				continue
			}
			value, source := maskAddress(settingValue(flag)), c.source(flag, given[flag.Name])
			if value == "" {
				value = cmd.derived(c, flag.Name)
			}
			rows = append(rows, row{{"setting", flag.Name}, {"value", value}, {"source", source}})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(fmt.Sprint(a[0].value), fmt.Sprint(b[0].value)) })
	for _, name := range append(slices.Clone(secretVariables), "PGPASSWORD") {
		if os.Getenv(name) != "" {
			rows = append(rows, row{{"setting", name}, {"value", masked}, {"source", "variable"}})
		}
	}
	if err := c.printAll(rows, ""); err != nil {
		return err
	}
	return cmd.refused()
}

// refused returns the error with which serve would refuse the settings, as far as they alone show. Addresses and keys of other services are
// left to serve and doctor, which use them.
func (cmd *configCommand) refused() error {
	if err := cmd.check(); err != nil {
		return err
	}
	if cmd.BaseURL == "" {
		return nil
	}
	_, err := parseBaseURL(cmd.BaseURL)
	return err
}

// source returns where the value of a flag comes from: a flag, a variable, a line of the configuration file, or the default.
func (c *Common) source(flag *kong.Flag, given bool) string {
	if given {
		return "--" + flag.Name
	}
	if name := variableSet(flag); name != "" {
		return name
	}
	if c.config != nil {
		if setting, set := c.config.settings[flag.Name]; set {
			return fmt.Sprintf("%s, line %d", c.config.name, setting.line)
		}
	}
	return "default"
}

// derived returns the default of a setting that depends on other settings.
func (cmd *configCommand) derived(c *Common, name string) string {
	switch name {
	case "data":
		return c.folder()
	case "blobs":
		return c.blobsAddress()
	case "base-url":
		return "http://" + cmd.Listen
	case "database":
		if c.DatabaseFile != "" {
			return "in the file " + c.DatabaseFile
		}
		if address, _, err := c.database(); err == nil {
			return maskAddress(address)
		}
	}
	return ""
}

// settingValue returns the value of a flag as a person would write it.
func settingValue(flag *kong.Flag) string {
	switch value := flag.Target.Interface().(type) {
	case time.Duration:
		return shortDuration(value)
	case []string:
		return strings.Join(value, ",")
	default:
		if flag.Target.Kind() == reflect.Pointer {
			if flag.Target.IsNil() {
				return ""
			}
			return fmt.Sprint(flag.Target.Elem().Interface())
		}
		return fmt.Sprint(value)
	}
}

var (
	zeroSeconds = regexp.MustCompile(`([hm])0s$`)
	zeroMinutes = regexp.MustCompile(`h0m$`)
)

// shortDuration formats a duration without trailing zeros: 24h, not 24h0m0s.
func shortDuration(d time.Duration) string {
	return zeroMinutes.ReplaceAllString(zeroSeconds.ReplaceAllString(d.String(), "$1"), "h")
}

var secretParameter = regexp.MustCompile(`(?i)pass|secret|token|key|credential|signature`)

// maskAddress masks the secrets in an address: the password before the host, and parameters whose names suggest a secret. Text that is
// no address is returned unchanged; an address that cannot be parsed is masked after its scheme.
func maskAddress(text string) string {
	scheme, rest, is := strings.Cut(text, ":")
	if !is || !strings.Contains(rest, "//") && !strings.ContainsAny(rest, "@?") {
		return text
	}
	u, err := url.Parse(text)
	if err != nil {
		return scheme + ":" + masked
	}
	if _, given := u.User.Password(); given {
		u.User = url.UserPassword(u.User.Username(), masked)
	}
	if u.RawQuery != "" {
		parts := strings.Split(u.RawQuery, "&")
		for i, part := range parts {
			if name, _, _ := strings.Cut(part, "="); secretParameter.MatchString(name) {
				parts[i] = name + "=" + masked
			}
		}
		u.RawQuery = strings.Join(parts, "&")
	}
	return strings.ReplaceAll(u.String(), url.QueryEscape(masked), masked)
}
