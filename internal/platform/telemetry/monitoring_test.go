package telemetry_test

import (
	"database/sql"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/telemetry"
)

const (
	rules     = "../../../deploy/monitoring/alerts.yaml"
	ruleTests = "../../../deploy/monitoring/alerts_test.yaml"
	dashboard = "../../../deploy/monitoring/grafana.json"
	handbook  = "../../../docs/self-hosting.md"
)

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestMonitoredMetricsExist: every metric that the alert rules, the dashboard and the handbook name is exported, and the
// handbook names every metric that is exported.
func TestMonitoredMetricsExist(t *testing.T) {
	t.Parallel()
	w := start(t, telemetry.Options{
		Metrics: true, Source: queue{},
		Pools: func() map[string]sql.DBStats { return map[string]sql.DBStats{"read": {}} },
		Disk:  func() (free, size uint64, err error) { return 1, 2, nil },
		Clock: func() (time.Duration, bool) { return 0, true },
	})
	use(t, w, http.Header{})
	exists := map[string]bool{}
	for line := range strings.Lines(scrape(t, w)) {
		if name, isType := strings.CutPrefix(line, "# TYPE "); isType {
			exists[strings.Fields(name)[0]] = true
		}
	}
	metric := regexp.MustCompile(`\b(?:verbatim|process|go)_[a-z_]+\b`)
	for _, file := range []string{rules, ruleTests, dashboard} {
		named := metric.FindAllString(read(t, file), -1)
		if len(named) < 10 {
			t.Errorf("%s names %d metrics; this test must see them all", file, len(named))
		}
		for _, name := range named {
			family := name
			for _, suffix := range []string{"_bucket", "_count", "_sum"} {
				family = strings.TrimSuffix(family, suffix)
			}
			if !exists[name] && !exists[family] {
				t.Errorf("%s names %s, which does not exist", file, name)
			}
		}
	}
	text := read(t, handbook)
	for name := range exists {
		if strings.HasPrefix(name, "verbatim_") && !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/self-hosting.md does not name %s", name)
		}
	}
}

// TestAlerts checks the alert rules with promtool, and tests what they fire for some minutes of metrics.
func TestAlerts(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("promtool"); err != nil {
		t.Fatalf("%v: run scripts/setup.sh, or install the package prometheus", err)
	}
	for _, args := range [][]string{{"check", "rules", rules}, {"test", "rules", ruleTests}} {
		if out, err := exec.CommandContext(t.Context(), "promtool", args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}
