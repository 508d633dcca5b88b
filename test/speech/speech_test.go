package speech_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"verbatim/test/speech"
)

func TestErrorRate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said, transcribed string
		want              float64
	}{
		{"", "", 0},
		{"", "two words", 2},
		{"I like apples.", "i LIKE, apples", 0},
		{"I like apples", "", 1},
		{"I like apples and pears", "I like apples and bears", 0.2},
		{"I like apples and pears", "I like and pears", 0.2},
		{"I like apples and pears", "I like green apples and pears", 0.2},
		{"one two three four", "four three two one", 1},
		{"it's so", "its so", 0.5},
	} {
		if got := speech.ErrorRate(tt.said, tt.transcribed); got != tt.want {
			t.Errorf("ErrorRate(%q, %q) = %v, want %v", tt.said, tt.transcribed, got, tt.want)
		}
	}
}

// TestRealSpeech: speech as a recorder sends it is transcribed by a real provider through the complete program, with less than a quarter of
// the words wrong and with the right times.
func TestRealSpeech(t *testing.T) {
	t.Parallel()
	provider := httptest.NewServer(speech.Provider())
	t.Cleanup(provider.Close)
	dir := t.TempDir()
	wav := filepath.Join(dir, "voice.wav")
	if err := speech.Speak(t.Context(), speech.Said, wav, 2); err != nil {
		t.Fatal(err)
	}
	recording, err := exec.CommandContext(t.Context(), "ffmpeg", "-nostdin", "-v", "error", "-i", wav, "-c:a", "libopus", "-b:a", "32k", "-f", "webm", "-live", "1", "pipe:1").Output()
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, provider.URL+"/v1")
	begun := s.json("POST", s.link+"/interviews", `{}`)
	interview := s.origin + "/i/" + begun["token"].(string)
	stepID := begun["step"].(map[string]any)["stepId"].(string)
	upload := s.upload(interview, stepID, recording)

	recognized := s.json("POST", upload+"/transcript", "")
	text, _ := recognized["text"].(string)
	rate := speech.ErrorRate(speech.Said, text)
	t.Logf("word error rate %.0f %%: %s", 100*rate, text)
	if recognized["status"] != "heard" || rate >= 0.25 {
		t.Fatalf("%v", recognized)
	}
	words := recognized["words"].([]any)
	first, last := words[0].(map[string]any), words[len(words)-1].(map[string]any)
	if start := first["start"].(float64); start < 1.5 || start > 3 {
		t.Errorf("the first word begins at %v s; the voice does after two", start)
	}
	if first["confidence"] == nil || last["end"].(float64) < 12 || last["end"].(float64) > 18 {
		t.Errorf("from %v to %v", first, last)
	}
	if again := s.json("POST", upload+"/transcript", ""); again["text"] != text {
		t.Errorf("again: %v", again)
	}

	// Researchers read the words of an answer that is only a recording.
	s.json("POST", interview+"/answers", fmt.Sprintf(`{"stepId": %q, "recordings": {"audio": %q}}`, stepID, upload[strings.LastIndexByte(upload, '/')+1:]))
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for range look.C {
		var items []struct {
			AnswersArray []struct{ Answer string }
		}
		if err := json.NewDecoder(s.api("GET", "/responses/"+s.study, "").Body).Decode(&items); err != nil {
			t.Fatal(err)
		}
		if answers := items[0].AnswersArray; len(answers) == 1 && answers[0].Answer != "" {
			if answers[0].Answer != text {
				t.Errorf("the answer is %q", answers[0].Answer)
			}
			break
		}
	}
}

// program is a running server with a live study.
type program struct {
	t                        *testing.T
	origin, key, study, link string
}

// serve builds and starts the program with a speech-to-text provider at an address.
func serve(t *testing.T, provider string) *program {
	t.Helper()
	dir := t.TempDir()
	binary, data := filepath.Join(dir, "verbatim"), filepath.Join(dir, "data")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "verbatim/cmd/verbatim")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	admin := func(args ...string) map[string]any {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), binary, append(args, "--data", data, "--create", "--json")...).Output()
		if err != nil {
			t.Fatalf("verbatim %v: %v", args, err)
		}
		var answer map[string]any
		if len(bytes.TrimSpace(out)) > 0 {
			if err := json.Unmarshal(out, &answer); err != nil {
				t.Fatalf("verbatim %v printed %s", args, out)
			}
		}
		return answer
	}
	org := admin("org", "create", "Larkspur")["id"].(string)
	user := admin("user", "create", "--org", org, "--email", "ada@example.org", "--name", "Ada", "--role", "admin")["id"].(string)
	key := admin("key", "create", "--org", org, "--user", user, "--name", "test")["key"].(string)

	server := exec.CommandContext(t.Context(), binary, "serve", "--listen", "127.0.0.1:0", "--data", data)
	server.Env = append(os.Environ(), "VERBATIM_SPEECH_URL="+provider, "VERBATIM_SPEECH_KEY=sk-never-logged", "VERBATIM_SPEECH_MODEL=pocketsphinx")
	said, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	ended := make(chan struct{})
	address := make(chan string, 1)
	go func() {
		defer close(ended)
		serving := regexp.MustCompile(`"msg":"serving","address":"([^"]+)"`)
		chunk := make([]byte, 4096)
		for {
			n, err := said.Read(chunk)
			log.Write(chunk[:n])
			if found := serving.FindSubmatch(log.Bytes()); found != nil {
				select {
				case address <- string(found[1]):
				default:
				}
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = server.Process.Kill()
		<-ended
		_ = server.Wait()
		if strings.Contains(log.String(), "never-logged") || !strings.Contains(log.String(), "speech is turned into text") {
			t.Error("the log has the key, or does not say that speech is turned into text")
		}
		if t.Failed() {
			t.Logf("the server said:\n%s", log.String())
		}
	})
	p := &program{t: t, key: key}
	select {
	case at := <-address:
		p.origin = "http://" + at
	case <-ended:
		t.Fatal("the server ended")
	}
	guide := `{"title": "Cooking", "config": {"interviewMode": "audio", "questionLanguage": "en"}, "studyGuide": [{"type": "flat", "title": "Start", "items":
		[{"type": "open_ended", "text": "How do you cook?", "followUp": "none"}]}]}`
	p.study = p.decode(p.api("POST", "/studies/create", guide))["id"].(string)
	p.link = p.decode(p.api("POST", "/studies/"+p.study+"/launch", ""))["selfRecruitLink"].(string)
	return p
}

// upload sends a recording by tus and returns its address.
func (p *program) upload(interview, stepID string, recording []byte) string {
	p.t.Helper()
	meta := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	created := p.do("POST", interview+"/uploads", map[string]string{
		"Tus-Resumable": "1.0.0", "Upload-Defer-Length": "1", "Upload-Metadata": "kind " + meta("audio") + ",stepId " + meta(stepID),
	}, nil)
	at := p.origin + created.Header.Get("Location")
	half := len(recording) / 2
	for _, chunk := range []struct {
		from, to int
		length   string
	}{{0, half, ""}, {half, len(recording), fmt.Sprint(len(recording))}} {
		header := map[string]string{"Tus-Resumable": "1.0.0", "Upload-Offset": fmt.Sprint(chunk.from), "Content-Type": "application/offset+octet-stream"}
		if chunk.length != "" {
			header["Upload-Length"] = chunk.length
		}
		p.do("PATCH", at, header, recording[chunk.from:chunk.to])
	}
	return at
}

func (p *program) api(method, path, body string) *http.Response {
	p.t.Helper()
	return p.do(method, p.origin+"/api/public/v1"+path, map[string]string{"X-Api-Key": p.key}, []byte(body))
}

func (p *program) json(method, url, body string) map[string]any {
	p.t.Helper()
	return p.decode(p.do(method, url, map[string]string{"Accept": "application/json"}, []byte(body)))
}

func (p *program) decode(answer *http.Response) (v map[string]any) {
	p.t.Helper()
	if err := json.NewDecoder(answer.Body).Decode(&v); err != nil {
		p.t.Fatal(err)
	}
	return v
}

// do sends a request, which must succeed; it has read the answer's body.
func (p *program) do(method, url string, header map[string]string, body []byte) *http.Response {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode >= 300 {
		p.t.Fatalf("%s %s answers %d, %v: %s", method, url, answer.StatusCode, err, text)
	}
	answer.Body = io.NopCloser(bytes.NewReader(text))
	return answer
}

// TestKnownUtterances: what was recited is recognized as a whole, in part, quieter and with noise.
func TestKnownUtterances(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("text2wave"); err != nil {
		t.Skip("festival is not installed")
	}
	texts := []string{"My brother taught me how to make bread when we were very young.", "The kitchen window looks out on an old apple tree.", "On Sundays we all sit together for a very long time."}
	path := filepath.Join(t.TempDir(), "voice.wav")
	known, err := speech.Recite(t.Context(), texts, path, time.Second, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	provider := httptest.NewServer(speech.KnownProvider(known))
	defer provider.Close()
	for i, text := range texts {
		for name, filter := range map[string]string{"whole": "anull", "quiet": "volume=-12dB", "its beginning": "atrim=end=2", "its end": "atrim=start=1.2"} {
			if got := transcribed(t, provider.URL, path, known, i, filter); got != text {
				t.Errorf("%s of %q is understood as %q", name, text, got)
			}
		}
	}
}

// transcribed returns the text of an utterance of a recital, changed by a filter of ffmpeg.
func transcribed(t *testing.T, address, path string, known []speech.Utterance, n int, filter string) string {
	t.Helper()
	begin := 1.0
	for _, u := range known[:n] {
		begin += u.Seconds() + 1
	}
	cut := exec.CommandContext(t.Context(), "ffmpeg", "-nostdin", "-v", "error", "-ss", fmt.Sprint(begin), "-t", fmt.Sprint(known[n].Seconds()), "-i", path,
		"-af", filter, "-ac", "1", "-ar", "16000", "-f", "wav", "-bitexact", "-fflags", "+bitexact", "-")
	sound, err := cut.Output()
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, _ := form.CreateFormFile("file", "speech.wav")
	_, _ = part.Write(sound)
	_ = form.Close()
	answer, err := http.Post(address+"/v1/audio/transcriptions", form.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var got struct{ Text string }
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	return got.Text
}
