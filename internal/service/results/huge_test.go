package results

import (
	"strings"
	"sync"
	"testing"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestHugeItemsTakeTurns has more readers of a huge item than may hold one, and slow ones: the rest waits.
func TestHugeItemsTakeTurns(t *testing.T) {
	s := &Service{Store: storetest.New(t)}
	scene := storetest.NewScene(t, s.Store)
	const size = 5 << 20
	storetest.Write(t, s.Store, func(tx *store.Tx) error {
		at, err := tx.NextUpdate(t.Context(), scene.Study.ID)
		if err != nil {
			return err
		}
		return tx.PutItem(t.Context(), store.Item{
			StudyID: scene.Study.ID, ReadableID: 1, ResponseID: store.NewID(), UpdatedAt: at, Analysed: true, Version: 1,
			List: []byte(strings.Repeat("x", size)), Single: []byte("{}"),
		})
	})
	const most = maxLargeBytes / (size + chunkBytes)
	const readers = 2 * most
	holding, release := make(chan struct{}, readers), make(chan struct{})
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			page, err := s.List(t.Context(), org.Caller{OrgID: scene.Org.ID}, scene.Study.ID, Filter{PerPage: 10})
			if err == nil {
				err = page.Each(t.Context(), func(list []byte) error {
					if len(list) != size {
						t.Errorf("an item of %d bytes came, want %d", len(list), size)
					}
					holding <- struct{}{}
					<-release
					return nil
				})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range most {
		<-holding
	}
	if largeItems.TryAcquire(size + chunkBytes) {
		t.Errorf("another reader would be let in beside %d", most)
	}
	if len(holding) > 0 {
		t.Errorf("more than %d hold a huge item", most)
	}
	close(release)
	all.Wait()
	if len(holding) != readers-most {
		t.Errorf("%d of %d waited and came", len(holding), readers-most)
	}
	if !largeItems.TryAcquire(maxLargeBytes) {
		t.Fatal("room was not given back")
	}
	largeItems.Release(maxLargeBytes)
}
