// Package auditlog reads the audit log of an organization: in pages, as files, and to check that nothing is missing in it. Services write it
// where something happens, by store.Tx.Audit.
package auditlog
