package blob

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Options configure a store beside its address.
type Options struct {
	Links  Links                    // signs the URLs of a folder's objects; a bucket signs its own
	Getenv func(name string) string // where a bucket's keys are read from, so that no address contains a secret
}

// Open opens file:DIR, which is created if it does not exist, or
//
//	s3://BUCKET?endpoint=URL&region=NAME&path_style=true
//
// whose parameters are optional: the default endpoint is Amazon's, the default region is asked for, and by default the
// bucket is part of the endpoint's host name. An http endpoint is used without TLS. The keys come from the environment:
// VERBATIM_S3_ACCESS_KEY and VERBATIM_S3_SECRET_KEY or, if those are empty, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
// AWS_SESSION_TOKEN. Open does not contact the bucket: see Ready.
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

// bucket is the parsed address of a bucket, without secrets.
type bucket struct {
	name, host, region string
	insecure           bool // http, without TLS
	pathStyle          bool
}

func parseBucket(address string) (b bucket, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return b, errors.New("the address of the bucket cannot be parsed") // not the parser's message, which repeats it
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
			b.host, b.insecure = e.Host, e.Scheme == "http"
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
