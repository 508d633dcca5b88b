package store

import (
	"context"
	"database/sql"

	"verbatim/internal/domain/response"
)

// ExportedResponse is a response as an export reads it.
type ExportedResponse struct {
	response.Response
	Override float64 // the quality as a person judged it; 0: nobody did
	List     []byte  // the document of the list
}

// ExportPage lists responses that pass a filter in the order of their numbers: those after a number, up to and with another one.
func (v *View) ExportPage(ctx context.Context, orgID, studyID string, f response.ReviewFilter, after, upTo, limit int) ([]ExportedResponse, error) {
	q := v.reviewed(orgID, studyID, f)
	q.where(`i.readable_id > ` + q.arg(after))
	q.where(`i.readable_id <= ` + q.arg(upTo))
	return collect(ctx, v, func(r scanner) (e ExportedResponse, err error) {
		var halves sql.NullInt64
		e.Response, err = scanResponse(r, &halves, &e.List)
		e.Override = float64(halves.Int64) / 2
		return e, err
	}, selectResponse+`, o.halves, `+v.d.document("i.list_item")+q.text.String()+`
		order by i.readable_id
		limit cast(`+q.arg(limit)+` as bigint)`, q.args...)
}

// ParameterNames lists the names of the link parameters that responses of a study have, in their order, those of the service left out.
func (v *View) ParameterNames(ctx context.Context, orgID, studyID string, limit int) ([]string, error) {
	return collect(ctx, v, func(r scanner) (name string, err error) { return name, r.Scan(&name) }, `select distinct name
		from url_param
		where org_id = $1 and study_id = $2 and substr(name, 1, 1) <> '_'
		order by name
		limit cast($3 as bigint)`, orgID, studyID, limit)
}
