package storetest_test

import (
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store/storetest"
)

func TestSceneIsUsable(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	if sc.Study.Status != study.Live || sc.Study.PublishedRevision != 1 || sc.Study.WalletID != sc.Wallet.ID {
		t.Errorf("study = %+v, want it live at revision 1 and billed to %s", sc.Study, sc.Wallet.ID)
	}
	if err := sc.Store.View().CanFund(t.Context(), sc.Wallet.ID, sc.Org.ID, 100*wallet.Credit); err != nil {
		t.Errorf("CanFund: %v", err)
	}
	raw, err := sc.Store.View().StudyGuide(t.Context(), sc.Org.ID, sc.Study.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := guide.Decode(raw, guide.Options{NewID: func() string { t.Error("an id was missing"); return "x" }}); err != nil {
		t.Errorf("the smallest guide is refused: %v", err)
	}
	for want := 1; want <= 2; want++ {
		if r := storetest.Response(t, sc.Store, sc.Study, nil); r.ReadableID != want {
			t.Errorf("readable id = %d, want %d", r.ReadableID, want)
		}
	}
}
