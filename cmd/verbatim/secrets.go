package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
)

// A secret is given by a variable, or by a file that a flag or that flag's variable names: VERBATIM_LLM_KEY, --llm-key-file or
// VERBATIM_LLM_KEY_FILE. No flag takes the secret itself, because process lists show flags. Only readSecret reads secrets.

// maxSecretFile is the maximum size of a file with a secret, in bytes.
const maxSecretFile = 64 << 10

// readSecret returns the secret of a variable or a file, without the line break at its end, or "" if neither is given. flag is the flag
// that names the file. Errors name the flag and the file, and contain nothing of the secret.
func readSecret(variable, flag, file string) (string, error) {
	value := os.Getenv(variable)
	if file == "" {
		return value, nil
	}
	if value != "" {
		return "", usageError(fmt.Sprintf("%s and %s %s are both set: remove one of them", variable, flag, file))
	}
	text, err := readSecretFile(file)
	if err != nil {
		return "", usageError(fmt.Sprintf("%s %s: %v", flag, file, err))
	}
	return text, nil
}

func readSecretFile(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		if broken, ok := errors.AsType[*os.PathError](err); ok {
			err = broken.Err // without the file name, which the caller adds
		}
		return "", err
	}
	body, err := io.ReadAll(io.LimitReader(file, maxSecretFile+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	text := strings.TrimRight(string(body), "\r\n")
	switch {
	case len(body) > maxSecretFile:
		return "", fmt.Errorf("it has more than %d bytes", maxSecretFile)
	case text == "":
		return "", errors.New("it is empty")
	}
	return text, nil
}

// readLine is like readSecret, for secrets that must be one line.
func readLine(variable, flag, file string) (string, error) {
	text, err := readSecret(variable, flag, file)
	if err == nil && strings.ContainsAny(text, "\r\n") && file != "" {
		return "", usageError(fmt.Sprintf("%s %s: it has more than one line", flag, file))
	}
	return text, err
}

// secretFlags name the files of secrets that any command may need.
type secretFlags struct {
	SecretFile           string `help:"File with the secret that signs links to recordings, instead of VERBATIM_SECRET. It must be the same on every server. Default: signing-secret beside a SQLite database, created at the first start." env:"VERBATIM_SECRET_FILE" type:"path" placeholder:"FILE"`
	DatabaseFile         string `help:"File with the database address, instead of --database." env:"VERBATIM_DATABASE_FILE" type:"path" placeholder:"FILE"`
	DatabasePasswordFile string `help:"File with the database password, instead of PGPASSWORD." env:"VERBATIM_DATABASE_PASSWORD_FILE" type:"path" placeholder:"FILE"`
	S3AccessKeyFile      string `name:"s3-access-key-file" help:"File with the bucket's access key, instead of VERBATIM_S3_ACCESS_KEY." env:"VERBATIM_S3_ACCESS_KEY_FILE" type:"path" placeholder:"FILE"`
	S3SecretKeyFile      string `name:"s3-secret-key-file" help:"File with the bucket's secret key, instead of VERBATIM_S3_SECRET_KEY." env:"VERBATIM_S3_SECRET_KEY_FILE" type:"path" placeholder:"FILE"`
}

// openObjects opens the recordings and uploads at an address.
func (f secretFlags) openObjects(address string, links blob.Links) (blob.Store, error) {
	found := map[string]string{}
	for _, key := range []struct{ variable, flag, file string }{
		{"VERBATIM_S3_ACCESS_KEY", "--s3-access-key-file", f.S3AccessKeyFile},
		{"VERBATIM_S3_SECRET_KEY", "--s3-secret-key-file", f.S3SecretKeyFile},
	} {
		value, err := readLine(key.variable, key.flag, key.file)
		if err != nil {
			return nil, err
		}
		found[key.variable] = value
	}
	return blob.Open(address, blob.Options{Links: links, Getenv: func(name string) string {
		if value, ok := found[name]; ok {
			return value
		}
		return os.Getenv(name)
	}})
}

// database returns the address of the database and the options to open it with.
func (c *Common) database() (address string, o store.Options, err error) {
	switch {
	case c.Database != "" && c.DatabaseFile != "":
		return "", o, usageError(fmt.Sprintf("--database (VERBATIM_DATABASE) and --database-file %s are both set: remove one of them", c.DatabaseFile))
	case c.DatabaseFile != "":
		address, err = readLine("", "--database-file", c.DatabaseFile)
	case c.Database != "":
		address = c.Database
	default:
		address = "sqlite:" + filepath.Join(c.folder(), "verbatim.db")
	}
	if err != nil || c.DatabasePasswordFile == "" {
		return address, o, err
	}
	if u, err := url.Parse(address); err == nil && u.User != nil {
		if _, given := u.User.Password(); given {
			return "", o, usageError(fmt.Sprintf("the database address contains a password, and --database-password-file %s is set: remove one of them", c.DatabasePasswordFile))
		}
	}
	o.Password, err = readLine("PGPASSWORD", "--database-password-file", c.DatabasePasswordFile)
	return address, o, err
}
