package attack

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// filmAttacks are small recordings that take an encoder long, or lead it elsewhere, while an innocent recording of another organization
// waits for it.
var filmAttacks = []attack{
	{point: 5, name: "two frames of 8192x4320, six hours apart", mark: filmMark, noRace: true, run: func(s *stage) {
		s.film("video", "-f lavfi -i color=c=black:s=8192x4320:r=1 -vf setpts=N*21540/TB -frames:v 2 -fps_mode passthrough -c:v libvpx -deadline realtime -cpu-used 8 -f webm")
	}},
	{point: 5, name: "three small frames, hours apart, at 1000 fps", mark: filmMark, noRace: true, longOnly: true, run: func(s *stage) {
		s.film("video", "-f lavfi -i testsrc=s=320x180:r=1000 -vf setpts=N*36000/TB -frames:v 3 -fps_mode passthrough -c:v libvpx -deadline realtime -cpu-used 8 -f webm")
	}},
	{point: 5, name: "two sounds, twenty hours apart", mark: filmMark, noRace: true, longOnly: true, run: func(s *stage) {
		s.film("audio", "-f lavfi -i anullsrc=r=48000 -af asetnsamples=960,asetpts=N*72000/TB -frames:a 2 -c:a libopus -f webm")
	}},
	{point: 5, name: "a thin film of 16000x16", mark: filmMark, noRace: true, longOnly: true, run: func(s *stage) {
		s.film("video", "-f lavfi -i color=c=black:s=16000x16:r=1 -vf setpts=N*3600/TB -frames:v 5 -fps_mode passthrough -c:v libvpx -deadline realtime -cpu-used 8 -f webm")
	}},
	{point: 5, name: "playlists that lead elsewhere", mark: "nothing is fetched, the innocent recording is ready", noRace: true, run: func(s *stage) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			s.t.Fatal(err)
		}
		defer listener.Close()
		var fetched atomic.Int64
		go func() {
			for {
				c, err := listener.Accept()
				if err != nil {
					return
				}
				fetched.Add(1)
				c.Close()
			}
		}()
		canary := "http://" + listener.Addr().String() + "/x.ts"
		for _, text := range []string{
			"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n" + canary + "\n#EXT-X-ENDLIST\n",
			"ffconcat version 1.0\nfile '" + canary + "'\n",
			"#EXTM3U\n#EXTINF:10,\nfile:///etc/hostname\n",
			"<?xml version=\"1.0\"?><MPD><Period><BaseURL>" + canary + "</BaseURL></Period></MPD>",
		} {
			for _, kind := range []string{"video", "audio"} {
				s.recorded(s.hostile, kind, []byte(text), false)
			}
		}
		s.awaitInnocent()
		if n := fetched.Load(); n > 0 {
			s.fail("the server fetched what a playlist names %d times", n)
		}
	}},
}

const (
	filmMark = "an innocent recording is ready within 60 s, encoders under 1 GiB"
	filmTime = 60 * time.Second
	filmPeak = 1024 * mib // of all encoders together
)

// film uploads a recording, made by ffmpeg from these arguments, twice, and then waits for an innocent one.
func (s *stage) film(kind, arguments string) {
	made := s.ffmpeg(arguments)
	s.note("a %s of %d bytes", kind, len(made))
	done, limit := make(chan struct{}), int64(0)
	var sampling sync.WaitGroup
	sampling.Go(func() {
		for ticker := time.NewTicker(20 * time.Millisecond); ; {
			var all int64
			for _, pid := range s.server.children() {
				all += resident(pid)
			}
			limit = max(limit, all)
			select {
			case <-done:
				ticker.Stop()
				return
			case <-ticker.C:
			}
		}
	})
	for range 2 {
		s.recorded(s.hostile, kind, made, false)
	}
	s.awaitInnocent()
	close(done)
	sampling.Wait()
	s.note("encoders held %d MiB", limit/mib)
	if limit > filmPeak {
		s.fail("the encoders held %d MiB", limit/mib)
	}
	for _, pid := range s.server.children() { // if the server does not end it in time
		if process, err := os.FindProcess(pid); err == nil {
			_ = process.Kill()
		}
	}
}

func (s *stage) ffmpeg(arguments string) []byte {
	s.t.Helper()
	name := filepath.Join(s.t.TempDir(), "made")
	args := append(strings.Fields("-nostdin -v error"), append(strings.Fields(arguments), name)...)
	if out, err := exec.CommandContext(s.t.Context(), "ffmpeg", args...).CombinedOutput(); err != nil {
		s.t.Fatalf("ffmpeg %s: %v\n%s", arguments, err, out)
	}
	made, err := os.ReadFile(name)
	if err != nil {
		s.t.Fatal(err)
	}
	return made
}

// recorded answers an interview of its own with a recording; it returns the addresses of its study and response. A hostile recording may be
// refused.
func (s *stage) recorded(a account, kind string, content []byte, must bool) (link string) {
	s.t.Helper()
	g := guideOf("Recorded "+kind, open("What do you see?", "none"))
	g["config"] = dict{"interviewMode": map[string]string{"video": "video", "audio": "audio"}[kind]}
	_, link = s.study(s.t, a, g)
	p := s.somebody()
	i := s.mustBegin(p, link)
	s.sent.add()
	location := s.mustUpload(p, i, kind, int64(len(content)))
	r, err := p.patch(s.t.Context(), location, 0, bytes.NewReader(content), int64(len(content)))
	if err != nil || r.status != http.StatusNoContent {
		if must {
			s.fail("an innocent recording is answered %d %.200s, %v", r.status, r.body, err)
		}
		s.note("upload answered %d", r.status)
		return link
	}
	id := location[strings.LastIndex(location, "/")+1:]
	if r, err := p.answer(s.t.Context(), &i, dict{"text": "That.", "recordings": dict{kind: id}}); err != nil || r.status != http.StatusOK && must {
		s.fail("an answer with a recording is answered %d %.200s, %v", r.status, r.body, err)
	}
	return link
}

// awaitInnocent records something innocent and waits until it can be played.
func (s *stage) awaitInnocent() {
	s.t.Helper()
	begun := time.Now()
	film := s.ffmpeg("-f lavfi -i testsrc=s=160x90:r=10:d=2 -f lavfi -i sine=d=2 -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus -f webm")
	link := s.recorded(s.innocent, "video", film, true)
	reader := s.somebody()
	for ticker := time.NewTicker(100 * time.Millisecond); ; <-ticker.C {
		r, err := reader.send(s.t.Context(), http.MethodGet, "/api/public/v1/responses/"+link+"/1", nil, "X-Api-Key", s.innocent.Key)
		var single struct {
			Transcript []struct {
				Video *struct{ StreamURL, MP4URL string }
			}
		}
		if err == nil && r.decode(&single) == nil {
			for _, row := range single.Transcript {
				if row.Video != nil && row.Video.MP4URL != "" && row.Video.StreamURL != "" {
					ticker.Stop()
					s.note("the innocent recording was ready after %.1f s", time.Since(begun).Seconds())
					return
				}
			}
		}
		if time.Since(begun) > filmTime*slower || !s.server.alive() {
			ticker.Stop()
			s.fail("the innocent recording was not ready after %.0f s", time.Since(begun).Seconds())
			return
		}
	}
}

// children returns the processes that the server started, and their descendants.
func (s *server) children() (pids []int) {
	below := []int{s.process.Process.Pid}
	for len(below) > 0 {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", below[0]))
		below = below[1:]
		for _, thread := range threads {
			line, _ := os.ReadFile(thread)
			for _, field := range strings.Fields(string(line)) {
				var pid int
				if _, err := fmt.Sscan(field, &pid); err == nil {
					pids, below = append(pids, pid), append(below, pid)
				}
			}
		}
	}
	return pids
}

// resident returns the memory that a process holds, in bytes.
func resident(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	var kib int64
	_, _ = fmt.Sscan(after, &kib) // empty if the process has ended
	return kib << 10
}
