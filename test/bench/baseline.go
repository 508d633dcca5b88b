package main

import (
	"context"
	"database/sql"
	"flag"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the engine that the program uses too
)

// serveBaseline answers with bytes of the database, read by key with prepared statements and written without encoding. It does what no
// server can do without and nothing else: no API keys, no checks, no counts, no ETags.
func serveBaseline(ctx context.Context, database string) error {
	baseline := sqliteBaseline
	if strings.HasPrefix(database, "postgres:") {
		baseline = postgresBaseline
	}
	handler, end, err := baseline(ctx, database)
	if err != nil {
		return err
	}
	defer end()
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	server := &http.Server{Addr: flag.Arg(0), Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}

// sqliteBaseline answers with bytes of a SQLite database.
func sqliteBaseline(ctx context.Context, path string) (_ http.Handler, end func(), err error) {
	open := func(file, more string) (*sql.DB, error) {
		return sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?_pragma=page_size(16384)&_journal_mode=WAL&_synchronous=FULL&_pragma=cache_size(-4000)&_busy_timeout=10000"+more)
	}
	read, err := open(path, "&_query_only=1")
	if err != nil {
		return nil, nil, err
	}
	readers := max(4, 2*runtime.GOMAXPROCS(0))
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	write, err := open(filepath.Join(filepath.Dir(path), "baseline.db"), "&_txlock=immediate")
	if err != nil {
		return nil, nil, err
	}
	end = func() {
		_ = read.Close()
		_ = write.Close()
	}
	write.SetMaxOpenConns(1)
	if _, err := write.ExecContext(ctx, `create table if not exists row (id integer primary key, body text not null)`); err != nil {
		return nil, nil, err
	}
	insert, err := write.PrepareContext(ctx, `insert into row (body) values ($1)`)
	if err != nil {
		return nil, nil, err
	}
	mux := http.NewServeMux()
	for path, query := range map[string]string{
		"/page": `select list_item from response_item where study_id = $1 and readable_id between $2 and $3 order by readable_id`,
		"/poll": `select list_item from response_item where study_id = $1 and readable_id in
			(select readable_id from response_item where study_id = $1 and updated_at >= $2) order by readable_id`,
		"/single": `select single_item from response_item where study_id = $1 and readable_id = $2`,
		"/search": `select response_id || study_id || readable_id from url_param where org_id = (select org_id from study where id = $1) and name = $2 and value = $3`,
	} {
		statement, err := read.PrepareContext(ctx, query)
		if err != nil {
			return nil, nil, err
		}
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			var args []any
			asked := r.URL.Query()
			for _, arg := range asked["a"] {
				args = append(args, arg)
			}
			fill, _ := strconv.Atoi(asked.Get("fill"))
			if err := copyRows(w, statement, args, fill); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
	}
	mux.HandleFunc("POST /create", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			_, err = insert.ExecContext(context.WithoutCancel(r.Context()), string(body))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusCreated)
	})
	return mux, end, nil
}

// filler stands for what the server writes for a hit beside its ids: the same bytes for every hit of a study.
var filler = strings.Repeat(".", 4096)

// buffers hold rows until they are written.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, 0, 300<<10)
	return &b
}}

// copyRows writes the first column of each row, each followed by fill more bytes.
func copyRows(w io.Writer, statement *sql.Stmt, args []any, fill int) error {
	rows, err := statement.QueryContext(context.Background(), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	kept := buffers.Get().(*[]byte)
	defer buffers.Put(kept)
	buffer := (*kept)[:0]
	for rows.Next() {
		var row sql.RawBytes
		if err := rows.Scan(&row); err != nil {
			return err
		}
		buffer = append(buffer, row...)
		if buffer = append(buffer, filler[:fill]...); len(buffer) >= 256<<10 {
			if _, err := w.Write(buffer); err != nil {
				return nil // the client went away
			}
			buffer = buffer[:0]
		}
	}
	_, _ = w.Write(buffer)
	return rows.Err()
}
