package blob

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Options are what a store needs beside its address.
type Options struct {
	Links  Links                    // signs the addresses of a folder's objects; a bucket signs its own
	Getenv func(name string) string // where a bucket's keys are found, so that no address holds a secret
}

// Open opens file:DIR, which is made where it is missing, or
//
//	s3://BUCKET?endpoint=URL&region=NAME&path_style=true
//
// whose parameters may be left out: the endpoint is Amazon's, the region is asked for, and the bucket stands in the
// endpoint's host name. An http endpoint is spoken to without TLS. The keys come from the environment:
// VERBATIM_S3_ACCESS_KEY and VERBATIM_S3_SECRET_KEY or, where those are empty, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
// AWS_SESSION_TOKEN. A bucket is not asked for anything yet: see Ready.
func Open(address string, o Options) (Store, error) {
	if dir, ok := strings.CutPrefix(address, "file:"); ok {
		return OpenFolder(dir, o.Links)
	}
	if strings.HasPrefix(address, "s3:") {
		b, err := parseBucket(address)
		if err != nil {
			return nil, err
		}
		return b.open(o.Getenv)
	}
	return nil, errors.New("the address of the objects must be file:DIR or s3://BUCKET")
}

// bucket is the address of one, without secrets.
type bucket struct {
	name, host, region string
	plain              bool // http
	pathStyle          bool
}

func parseBucket(address string) (b bucket, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return b, errors.New("the address of the bucket cannot be parsed") // not the parser's words, which repeat it
	}
	if u.User != nil {
		return b, errors.New("the address of the bucket must not hold keys: set VERBATIM_S3_ACCESS_KEY and VERBATIM_S3_SECRET_KEY")
	}
	if u.Host == "" || u.Path != "" && u.Path != "/" || u.Fragment != "" {
		return b, errors.New("the address of a bucket is s3://BUCKET?endpoint=URL&region=NAME&path_style=true")
	}
	b = bucket{name: u.Host, host: "s3.amazonaws.com"}
	parameters, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return b, errors.New("the parameters of the bucket's address cannot be parsed")
	}
	for name, values := range parameters {
		value := values[0]
		switch name {
		case "endpoint":
			e, err := url.Parse(value)
			if err != nil || e.Scheme != "http" && e.Scheme != "https" || e.Host == "" || strings.Trim(e.Path, "/") != "" || e.User != nil || e.RawQuery != "" {
				return b, errors.New("the bucket's endpoint must be an http or https address without a path")
			}
			b.host, b.plain = e.Host, e.Scheme == "http"
		case "region":
			b.region = value
		case "path_style":
			if b.pathStyle, err = strconv.ParseBool(value); err != nil {
				return b, errors.New("the bucket's path_style must be true or false")
			}
		default:
			return b, fmt.Errorf("the bucket's address has the unknown parameter %q", name)
		}
	}
	return b, nil
}
