// Command plant stores the draft of a study that the API cannot create, one that asks for files, beside a running server on SQLite. It
// reads the guide from standard input and prints the study's id. The browser tests use it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
)

func main() {
	database := flag.String("database", "", "address of the database")
	organization := flag.String("org", "", "id of the organization")
	flag.Parse()
	id, err := plant(context.Background(), *database, *organization, os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(id)
}

func plant(ctx context.Context, database, organization string, from io.Reader) (id string, err error) {
	body, err := io.ReadAll(from)
	if err != nil {
		return "", err
	}
	g, err := guide.Decode(body, guide.Options{NewID: store.NewID, Stored: true})
	if err != nil {
		return "", err
	}
	s, err := store.Open(ctx, database, store.Options{})
	if err != nil {
		return "", err
	}
	err = s.Write(ctx, func(tx *store.Tx) error {
		draft, err := tx.CreateStudy(ctx, study.Study{OrgID: organization, Title: g.Title}, guide.Encode(g))
		id = draft.ID
		return err
	})
	return id, errors.Join(err, s.Close())
}
