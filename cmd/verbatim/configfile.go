package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// maxConfigFile is the maximum size of a configuration file, in bytes.
const maxConfigFile = 1 << 20

// configFile holds the settings of a configuration file: YAML, one setting per line, named like its flag. Every flag that has an
// environment variable can be set.
type configFile struct {
	name     string
	settings map[string]fileSetting // by flag name
}

type fileSetting struct {
	value string
	line  int
}

// readConfig reads a configuration file and checks every setting in it, including those that the current command does not use.
func readConfig(name string, app *kong.Application) (*configFile, error) {
	content, err := readConfigFile(name)
	if err != nil {
		return nil, usageError(fmt.Sprintf("--config %s: %v", name, err))
	}
	file := &configFile{name: filepath.Base(name), settings: map[string]fileSetting{}}
	refused := func(line int, why string) error {
		return usageError(fmt.Sprintf("%s, line %d: %s", file.name, line, why))
	}
	var document yaml.Node
	switch err := yaml.NewDecoder(bytes.NewReader(content)).Decode(&document); {
	case errors.Is(err, io.EOF):
		return file, nil
	case err != nil:
		return nil, usageError(fmt.Sprintf("%s: %s", file.name, strings.TrimPrefix(err.Error(), "yaml: ")))
	}
	settings := document.Content[0]
	if settings.Kind == yaml.ScalarNode && settings.Tag == "!!null" {
		return file, nil
	}
	if settings.Kind != yaml.MappingNode {
		return nil, refused(settings.Line, "expected settings, one per line, such as listen: 127.0.0.1:8080")
	}
	flags := settingFlags(app)
	var names []string
	for name := range flags {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := 0; i < len(settings.Content); i += 2 {
		key, value := settings.Content[i], settings.Content[i+1]
		flag, known := flags[key.Value]
		if !known {
			return nil, refused(key.Line, fmt.Sprintf("the setting %q is unknown%s", key.Value, didYouMean(key.Value, names)))
		}
		if before, twice := file.settings[key.Value]; twice {
			return nil, refused(key.Line, fmt.Sprintf("%s was set in line %d", key.Value, before.line))
		}
		text, err := settingText(value, flag)
		if err == nil && text != "" {
			err = tryValue(flag, text)
		}
		if err != nil {
			return nil, refused(key.Line, fmt.Sprintf("%s: %v", key.Value, err))
		}
		if text != "" { // an empty value means the default, like an empty variable
			file.settings[key.Value] = fileSetting{value: text, line: key.Line}
		}
	}
	return file, nil
}

func readConfigFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		if broken, ok := errors.AsType[*os.PathError](err); ok {
			err = broken.Err // without the file name, which the caller adds
		}
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(file, maxConfigFile+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	if len(content) > maxConfigFile {
		return nil, fmt.Errorf("it has more than %d bytes", maxConfigFile)
	}
	return content, nil
}

// settingFlags returns the flags that a configuration file may set, by name: those with an environment variable, except --config itself.
func settingFlags(app *kong.Application) map[string]*kong.Flag {
	flags := map[string]*kong.Flag{}
	eachFlag(app.Node, func(f *kong.Flag) {
		if len(f.Envs) > 0 && f.Name != "config" {
			flags[f.Name] = f
		}
	})
	return flags
}

// settingText returns a value of a configuration file as it would be given to the flag: lists are joined with commas.
func settingText(value *yaml.Node, flag *kong.Flag) (string, error) {
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	switch {
	case value.Kind == yaml.ScalarNode && value.Tag == "!!null":
		return "", nil
	case value.Kind == yaml.ScalarNode:
		return value.Value, nil
	case value.Kind == yaml.SequenceNode && flag.IsSlice():
		var all []string
		for _, element := range value.Content {
			if element.Kind != yaml.ScalarNode {
				return "", errors.New("expected a list of plain values")
			}
			all = append(all, element.Value)
		}
		return strings.Join(all, ","), nil
	case flag.IsSlice():
		return "", errors.New("expected a value or a list of values")
	}
	return "", errors.New("expected one value")
}

// tryValue returns an error if a flag does not accept a value. It sets the flag, so its parser must not be used afterwards.
func tryValue(flag *kong.Flag, text string) error {
	if err := flag.Parse(kong.ScanFromTokens(kong.Token{Type: kong.FlagValueToken, Value: text}), flag.Target); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), flag.ShortSummary()+": "))
	}
	if values := flag.EnumSlice(); flag.Enum != "" && !slices.Contains(values, text) {
		return fmt.Errorf("must be one of %s, and is %q", strings.Join(values, ", "), text)
	}
	return nil
}

// Validate implements kong.Resolver.
func (f *configFile) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver: the file is used if no variable is set.
func (f *configFile) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	setting, set := f.settings[flag.Name]
	if !set || variableSet(flag) != "" || len(flag.Envs) == 0 {
		return nil, nil
	}
	return setting.value, nil
}

// variableSet returns the name of the variable that sets a flag, or "" if none is set.
func variableSet(flag *kong.Flag) string {
	for _, name := range flag.Envs {
		if _, set := os.LookupEnv(name); set {
			return name
		}
	}
	return ""
}
