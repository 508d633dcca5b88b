// Package mailing queues mails to people and sends them. A mail is stored in the transaction of its cause, so that it survives the process, and
// its links are sealed by the keyring until it is sent. The texts hold nothing of interviews.
package mailing
