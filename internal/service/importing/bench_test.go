package importing_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/importing"
)

// BenchmarkImport imports files of random words, with ids in random order, into an empty study; every commit is synced to disk.
func BenchmarkImport(b *testing.B) {
	for _, size := range []int{5000, 8000, 16000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			const items = 10_000
			path, total := writeBench(b, items, size)
			for b.Loop() {
				b.StopTimer()
				sc := storetest.NewScene(b, storetest.New(b))
				b.StartTimer()
				result, err := (&importing.Service{Store: sc.Store}).Import(b.Context(), sc.Study, path)
				if err != nil || result.Stored != items {
					b.Fatalf("Import = %+v, %v", result, err)
				}
			}
			each := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(items/each, "items/s")
			b.ReportMetric(float64(total)/1e6/each, "MB/s")
		})
	}
}

// writeBench writes a file of items of about size bytes each, and returns its path and size.
func writeBench(b *testing.B, items, size int) (path string, total int64) {
	path = filepath.Join(b.TempDir(), "items.ndjson")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, uint64(size)))
	w := bufio.NewWriter(file)
	for n := range items {
		it := randomItem(random, n+1, size)
		line := append(it.Encode(), '\n')
		total += int64(len(line))
		if _, err := w.Write(line); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	return path, total
}

// randomItem returns an analysed interview of five questions, encoded as the service does: each answer appears twice.
func randomItem(random *rand.Rand, n, size int) document.Item {
	it := sampleItem(n)
	it.ID = fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", random.Uint32(), random.Uint32()&0xffff, random.Uint32()&0xfff, random.Uint32()&0xfff, n)
	it.CreatedAt = it.CreatedAt.Add(-time.Duration(n) * 50 * time.Second)
	it.UpdatedAt = it.CreatedAt.Add(time.Minute)
	it.Answers, it.AnswersArray = it.Answers[:1], nil
	const questions, frame = 5, 1900 // bytes of an item that has no words
	each := (size - frame) / (2*questions + 3)
	it.Answers[0].Text, it.ShortTranscript = randomText(random, each), randomText(random, each)
	it.BulletSummary = []string{randomText(random, each/2), randomText(random, each/2)}
	for q := range questions {
		question, said := fmt.Sprintf("What do you think of part %d?", q+1), randomText(random, each)
		it.Answers = append(it.Answers, document.KeyedAnswer{Key: fmt.Sprintf("Q%d: %s", q+1, question), Text: said})
		it.AnswersArray = append(it.AnswersArray, document.Answer{
			AnswerID: document.AnswerID(it.ID, fmt.Sprint("q", q), ""), QuestionID: fmt.Sprintf("0190a5d0-0000-4000-8000-00000000000%d", q), Question: question, Answer: said,
		})
	}
	return it
}

func randomText(random *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		for range 2 + random.IntN(8) {
			b.WriteByte(byte('a' + random.IntN(26)))
		}
		b.WriteByte(' ')
	}
	return b.String()[:size]
}
