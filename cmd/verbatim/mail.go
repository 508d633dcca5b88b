package main

import (
	"context"
	"log/slog"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/mail"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/mailing"
)

// mailFlags configure the server that sends mails. The password is in a variable or a file, so that process lists do not show it.
type mailFlags struct {
	MailHost         string `help:"Name of the SMTP server that sends invitations and links for new passwords; the password is in VERBATIM_MAIL_PASSWORD. Default: none; people copy the links." env:"VERBATIM_MAIL_HOST" placeholder:"HOST"`
	MailPort         int    `help:"Port of the SMTP server. Default: 587 with starttls, 465 with tls, 25 with off." env:"VERBATIM_MAIL_PORT" placeholder:"PORT"`
	MailTLS          string `name:"mail-tls" help:"Encryption of the connection to the SMTP server: starttls, tls from the beginning, or off." enum:"starttls,tls,off" default:"starttls" env:"VERBATIM_MAIL_TLS" placeholder:"MODE"`
	MailUser         string `help:"User name at the SMTP server. Default: none; the server asks for no password." env:"VERBATIM_MAIL_USER" placeholder:"NAME"`
	MailPasswordFile string `help:"File with the password at the SMTP server, instead of VERBATIM_MAIL_PASSWORD." env:"VERBATIM_MAIL_PASSWORD_FILE" type:"path" placeholder:"FILE"`
	MailFrom         string `help:"Sender of the mails, such as 'Verbatim <verbatim@example.org>'; required with --mail-host." env:"VERBATIM_MAIL_FROM" placeholder:"ADDRESS"`
}

// sender returns what sends mails, or nil if nothing is configured.
func (f mailFlags) sender() (*mail.Sender, error) {
	if f.MailHost == "" {
		return nil, nil
	}
	password, err := readLine("VERBATIM_MAIL_PASSWORD", "--mail-password-file", f.MailPasswordFile)
	if err != nil {
		return nil, err
	}
	if (f.MailUser == "") != (password == "") {
		return nil, usageError("--mail-user and the password (VERBATIM_MAIL_PASSWORD, --mail-password-file) belong together: one of them is missing")
	}
	sender, err := mail.New(mail.Settings{Host: f.MailHost, Port: f.MailPort, TLS: mail.TLS(f.MailTLS), User: f.MailUser, Password: password, From: f.MailFrom})
	if err != nil {
		return nil, usageError("--mail-host, --mail-port, --mail-user or --mail-from: " + err.Error())
	}
	return sender, nil
}

// mailing returns the service for mails, which sends none if nothing is configured.
func (f mailFlags) mailing(s *store.Store, ring func() signing.Ring, base string, log *slog.Logger) (*mailing.Service, error) {
	sender, err := f.sender()
	if err != nil {
		return nil, err
	}
	made := &mailing.Service{Store: s, Ring: ring, BaseURL: base}
	if sender == nil {
		log.Info("no mail server is configured: people copy the links of invitations")
		return made, nil
	}
	log.Info("mails are sent", "server", sender.Server(), "from", sender.From(), "tls", f.MailTLS)
	made.Sender = sender
	return made, nil
}

type mailCommands struct {
	Test mailTest `cmd:"" help:"Send a mail that tries the settings of the SMTP server."`
}

type mailTest struct {
	To        string `arg:"" help:"Who gets the mail."`
	mailFlags `group:"Mail:"`
	linkFlags
}

// Run sends the mail, and returns why it could not be sent.
func (cmd *mailTest) Run(ctx context.Context, c *Common) error {
	base, err := parseBaseURL(cmd.BaseURL)
	if err != nil {
		return err
	}
	if err := org.CheckEmail(cmd.To); err != nil {
		return usageError(err.Error())
	}
	sender, err := cmd.sender()
	if err != nil {
		return err
	}
	if sender == nil {
		return usageError("--mail-host is missing: which server is to send the mail?")
	}
	if err := (&mailing.Service{Sender: sender, BaseURL: base}).SendTest(ctx, cmd.To, ""); err != nil {
		return err
	}
	return c.print(row{{"to", cmd.To}, {"server", sender.Server()}, {"from", sender.From()}, {"state", "sent"}})
}
