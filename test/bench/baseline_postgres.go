package main

import (
	"context"
	"io"
	"net/http"
	"strconv"

	"github.com/jackc/pgx/v5/pgxpool"
)

// postgresReaders is the number of connections that the server reads through by default.
const postgresReaders = 10

// postgresQueries maps the baseline's paths to their queries.
var postgresQueries = map[string]string{
	"/page":   `select list_item from response_item where study_id = $1 and readable_id between $2 and $3 order by readable_id`,
	"/poll":   `select list_item from response_item where study_id = $1 and updated_at >= $2 order by updated_at`,
	"/single": `select single_item from response_item where study_id = $1 and readable_id = $2`,
	"/search": `select response_id || study_id || readable_id from url_param where org_id = (select org_id from study where id = $1) and name = $2 and value = $3`,
}

// postgresBaseline answers with bytes of a PostgreSQL database.
func postgresBaseline(ctx context.Context, address string) (http.Handler, func(), error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, nil, err
	}
	config.MaxConns, config.MinConns = postgresReaders, postgresReaders
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	mux := http.NewServeMux()
	for path, query := range postgresQueries {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			asked := r.URL.Query()
			var args []any
			for _, arg := range asked["a"] {
				args = append(args, arg) // pgx sends text as it is, whatever the type of the parameter
			}
			fill, _ := strconv.Atoi(asked.Get("fill"))
			if err := copyPostgresRows(r.Context(), w, pool, query, args, fill); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
	}
	return mux, pool.Close, nil
}

// copyPostgresRows writes the first column of each row, each followed by fill more bytes.
func copyPostgresRows(ctx context.Context, w io.Writer, pool *pgxpool.Pool, query string, args []any, fill int) error {
	rows, err := pool.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	kept := buffers.Get().(*[]byte)
	defer buffers.Put(kept)
	buffer := (*kept)[:0]
	for rows.Next() {
		buffer = append(buffer, rows.RawValues()[0]...)
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
