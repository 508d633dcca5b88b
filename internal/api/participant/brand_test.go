package participant_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
)

func TestBrandInTheProtocol(t *testing.T) {
	const logoFile = "0123456789abcdef0123456789abcdef.png"
	t.Parallel()
	h := open(t, wallet.Credit)
	yellow, err := org.ParseColour("#fff9c4")
	if err != nil {
		t.Fatal(err)
	}
	h.SaveBrand(org.Brand{Name: `Larkspur & "Sons"`, Colour: yellow, Logo: org.Logo{File: logoFile, Width: 480, Height: 120}})
	_, landing, _ := h.Call("GET", "/s/"+h.Launch(participanttest.FullGuide(), h.Wallet).LinkID, nil)
	want := object{"name": `Larkspur & "Sons"`, "colour": "#fff9c4", "logo": object{"url": "/brand/" + logoFile, "width": 480.0, "height": 120.0}}
	if diff := cmp.Diff(want, landing["organization"]); diff != "" {
		t.Errorf("organization (-want +got):\n%s", diff)
	}
}
