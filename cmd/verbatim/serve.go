package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"verbatim/internal/api/dashboard"
	"verbatim/internal/api/httpx"
	"verbatim/internal/api/legacy"
	"verbatim/internal/api/media"
	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant"
	"verbatim/internal/api/server"
	"verbatim/internal/api/v1"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/telemetry"
	"verbatim/internal/service/access"
	"verbatim/internal/service/asking"
	"verbatim/internal/service/auditlog"
	"verbatim/internal/service/authoring"
	"verbatim/internal/service/billing"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/exporting"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/keyring"
	"verbatim/internal/service/maintenance"
	"verbatim/internal/service/mediaupload"
	"verbatim/internal/service/moderator"
	"verbatim/internal/service/objects"
	"verbatim/internal/service/panels"
	"verbatim/internal/service/reporting"
	"verbatim/internal/service/results"
	"verbatim/internal/service/retention"
	"verbatim/internal/service/review"
	"verbatim/internal/service/signin"
	"verbatim/internal/service/transcription"
	"verbatim/internal/service/uploads"
	"verbatim/internal/service/webhooks"
	"verbatim/openapi"
	"verbatim/web"
)

// serviceFlags configure the service, independent of where it listens.
type serviceFlags struct {
	BaseURL          string `help:"Public address of the service, used in links. Default: http:// and the listen address." env:"VERBATIM_BASE_URL" placeholder:"URL"`
	RateLimit        int    `help:"Maximum requests per second of each API key, and of each address for requests without a key, on all nodes together. 0 turns off this limit and those of interview starts." default:"100" env:"VERBATIM_RATE_LIMIT" placeholder:"N"`
	BodyMemory       int    `help:"Memory in MiB for the bodies of all current requests together, at least 64. Uploads are not counted." default:"96" env:"VERBATIM_BODY_MEMORY" placeholder:"MIB"`
	connectionFlags  `group:"Connections:"`
	InsecureCookie   bool          `help:"Let people sign in to the dashboard over http on a name other than localhost, with a cookie that everybody on the network can read." env:"VERBATIM_INSECURE_COOKIE"`
	TrustedProxies   []string      `help:"Networks (CIDR) of proxies whose X-Forwarded-For header is trusted." env:"VERBATIM_TRUSTED_PROXIES" placeholder:"CIDR"`
	Price            string        `help:"Price of a completed response in credits." default:"1" env:"VERBATIM_PRICE" placeholder:"CREDITS"`
	AbandonAfter     time.Duration `help:"Time without activity after which an interview counts as abandoned and its hold is released." default:"24h" env:"VERBATIM_ABANDON_AFTER" placeholder:"DURATION"`
	startFlags       `group:"Starts of interviews:"`
	uploadFlags      `group:"Uploads:"`
	transcodeFlags   `group:"Recordings:"`
	speechFlags      `group:"Speech to text:"`
	speakFlags       `group:"Text to speech:"`
	llmFlags         `group:"Language model:"`
	translationFlags `group:"Translations:"`
	panelFlags       `group:"Panels:"`
	processorFlags   `group:"What participants are told:"`
	mailFlags        `group:"Mail:"`

	secrets secretFlags
	noLinks bool // links will not be opened, so a random secret of this process signs them
}

type serveCommand struct {
	Listen string        `help:"Address to listen on." default:"127.0.0.1:8080" env:"VERBATIM_LISTEN" placeholder:"HOST:PORT"`
	Drain  time.Duration `help:"How long the server accepts requests after a stop signal, while GET /readyz answers 503 so that a load balancer sends no more." default:"0s" env:"VERBATIM_DRAIN" placeholder:"DURATION"`
	serviceFlags
	observeFlags `group:"Log and metrics:"`
}

// check returns a usage error for values that no server can run with, as far as the values alone show.
func (cmd *serveCommand) check() error {
	if cmd.Drain < 0 {
		return usageError("--drain must not be negative")
	}
	if cmd.TranscodeWorkers < 1 {
		return usageError("--transcode-workers must be at least 1")
	}
	_, err := cmd.serviceFlags.check()
	return err
}

// check returns the price of a completed response, and a usage error for values that no service can run with. newService reads all of
// them again, so what is refused here never starts.
func (f serviceFlags) check() (price wallet.Credits, err error) {
	if price, err = wallet.ParseCredits(f.Price); err != nil {
		return 0, usageError("--price: " + err.Error())
	}
	switch {
	case price == 0:
		return 0, usageError("--price must be more than zero; without a granted wallet nothing is billed")
	case f.RateLimit < 0:
		return 0, usageError("--rate-limit must not be negative")
	case f.BodyMemory != 0 && f.BodyMemory < httpx.MinBudget>>20:
		return 0, usageError(fmt.Sprintf("--body-memory must be at least %d", httpx.MinBudget>>20))
	case f.AbandonAfter < time.Minute:
		return 0, usageError("--abandon-after must be at least a minute")
	}
	for _, check := range []func() error{
		func() error { return cmp.Or(f.connectionFlags.check(), f.startFlags.check()) },
		func() error { _, err := f.uploadFlags.limits(); return err },
		func() error { _, err := f.speechFlags.limits(); return err },
		f.speakFlags.check,
		func() error { _, err := f.llmFlags.ceilings(); return err },
		func() error { _, err := parseNetworks(f.TrustedProxies); return err },
		func() error { _, err := f.panelFlags.networks(); return err },
		func() error { _, err := f.mailFlags.sender(); return err },
	} {
		if err := check(); err != nil {
			return 0, err
		}
	}
	return price, nil
}

// Run serves until ctx ends.
func (cmd *serveCommand) Run(ctx context.Context, c *Common) error {
	log, err := telemetry.NewLog(c.stderr, cmd.LogFormat, cmd.LogLevel)
	if err != nil {
		return err
	}
	if err := cmd.check(); err != nil {
		return err
	}
	if err := cmd.tryListen(); err != nil {
		return err
	}
	c.Create = true
	return c.withStore(ctx, func(s *store.Store) error {
		listener, err := listen("--listen", cmd.Listen)
		if err != nil {
			return err
		}
		if cmd.BaseURL == "" {
			cmd.BaseURL = "http://" + listener.Addr().String()
		}
		cmd.secrets = c.secretFlags
		svc, err := newService(ctx, s, c.blobsAddress(), cmd.serviceFlags, log)
		if err == nil {
			err = maintenance.CheckReady(ctx, s)
		}
		if errors.Is(err, outage.ErrDiskFull) {
			log.Warn("the server starts, but is not ready until there is free disk space", "error", err)
			err = nil
		}
		if err == nil && svc.objects.Check(ctx) == nil { // without its objects the server still serves interviews, and logs a warning
			err = svc.checkBlobFolder(ctx)
		}
		if err == nil {
			err = warnOutdated(ctx, s, log)
		}
		if err == nil {
			err = warnLaterSchema(ctx, s, log)
		}
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		log.Info("serving", "address", listener.Addr().String(), "base_url", cmd.BaseURL, "database", s.String(), "version", version)
		svc.server.Drain = cmd.Drain
		if err := svc.printSetUp(ctx, c.stdout); err != nil {
			return errors.Join(err, listener.Close())
		}
		return svc.withTelemetry(ctx, cmd.observeFlags, func() error { return svc.run(ctx, listener) })
	})
}

// service holds all parts of the server. They are connected only here.
type service struct {
	store              *store.Store
	keys               *keyring.Keyring
	blobs              *blob.Observed
	objects            *blob.Watch                           // of blobs
	diskSpace          func() (free, size uint64, err error) // of the disk that holds the objects; nil if they are not in a folder
	access             *access.Service
	signIn             *signin.Service
	billing            *billing.Service
	uploads            *uploads.Service
	webhooks           *webhooks.Service
	messages           *webhooks.Worker
	erasure            *erasure.Service
	exports            *exporting.Service
	retention          *retention.Service
	media              *mediaupload.Service
	tombstones         erasure.Tombstones
	tombstonesReplayed bool // set once the tombstones were read; used by run and maintain only
	fieldwork          *fieldwork.Service
	asking             *asking.Service
	model              *llm.Client    // nil if none is configured
	runners            []*jobs.Runner // the runners of all job queues
	clock              *maintenance.ClockWatch
	baseURL            string
	server             *server.Server
	log                *slog.Logger
}

func newService(ctx context.Context, s *store.Store, blobs string, flags serviceFlags, log *slog.Logger) (*service, error) {
	base, err := parseBaseURL(flags.BaseURL)
	if err != nil {
		return nil, err
	}
	price, err := flags.check()
	if err != nil {
		return nil, err
	}
	connections := flags.connections(log)
	limits, err := flags.uploadFlags.limits()
	if err != nil {
		return nil, err
	}
	speechLimits, err := flags.speechFlags.limits()
	if err != nil {
		return nil, err
	}
	proxies, err := parseNetworks(flags.TrustedProxies)
	if err != nil {
		return nil, err
	}
	reached, err := flags.panelFlags.networks()
	if err != nil {
		return nil, err
	}
	keys, err := flags.keyring(ctx, s, log)
	if err != nil {
		return nil, err
	}
	mails, err := flags.mailFlags.mailing(s, keys.Ring, base, log)
	if err != nil {
		return nil, err
	}
	links := keys.Links(base)
	opened, err := flags.secrets.openObjects(blobs, links)
	if err != nil {
		return nil, err
	}
	model, err := flags.counted(s, log)
	if err != nil {
		return nil, err
	}
	bucket := &blob.Observed{Store: opened}
	watch := &blob.Watch{Store: bucket, Log: log}
	svc := &service{
		store:     s,
		keys:      keys,
		blobs:     bucket,
		diskSpace: diskSpaceOf(blobs),
		objects:   watch,
		access:    &access.Service{Store: s},
		signIn:    &signin.Service{Store: s, BaseURL: base, Mail: mails, Ring: keys.Ring, Log: log},
		billing:   &billing.Service{Store: s},
		uploads: &uploads.Service{
			Store: s, Objects: bucket, Limits: limits, Free: diskSpaceOf(blobs), MinFree: uint64(cmp.Or(int64(flags.LeastFree), maintenance.MinFreeBytes)),
			Away: watch.Err,
		},
		erasure:    &erasure.Service{Store: s},
		webhooks:   &webhooks.Service{Store: s},
		messages:   &webhooks.Worker{Store: s, Client: webhooks.Client(reached)},
		exports:    &exporting.Service{Store: s, Objects: bucket},
		retention:  &retention.Service{Store: s, Objects: bucket, Erasure: &erasure.Service{Store: s}},
		media:      &mediaupload.Service{Store: s, Objects: bucket},
		tombstones: erasure.Tombstones{Store: s, Objects: bucket},
		fieldwork: &fieldwork.Service{
			Store: s, Moderator: moderator.BuiltIn{}, Synchronous: true, Price: price, AbandonAfter: flags.AbandonAfter,
			MaxSubscribers:  maxSubscribers(connections),
			UnansweredAfter: flags.UnansweredAfter, Ring: keys.Ring, Processors: flags.processors(blobs),
		},
		model: model,
		clock: &maintenance.ClockWatch{Store: s, Log: log},
		log:   log,

		baseURL: base,
	}
	if flags.RateLimit > 0 {
		svc.fieldwork.Starts = store.StartRate{AtOnce: flags.StartsAtOnce, PerHour: flags.StartsPerHour}
	}
	if model != nil {
		svc.fieldwork.Moderator, svc.fieldwork.Fallback, svc.fieldwork.Synchronous = &moderator.Model{LLM: model, SecondJudge: flags.Judge == "on"}, moderator.Fallback{}, false
		svc.fieldwork.ProbeWithin = moderator.Timeout + time.Second
	}
	provider, err := flags.provider(log)
	if err != nil {
		return nil, err
	}
	interviews := &svc.fieldwork.Interviews
	transcriber := &transcription.Service{Store: s, Interviews: interviews, Objects: bucket, Find: findFFmpeg, Provider: provider, Limits: speechLimits, OnCeiling: maintenance.NewCeilings(log).Reached, Log: log}
	reader, err := flags.speakFlags.service(bucket, log)
	if err != nil {
		return nil, err
	}
	translators := flags.translators(s, model, log)
	svc.fieldwork.TranslateAnswers, transcriber.TranslateAnswers = translators.Model != nil, translators.Model != nil
	svc.runners = queues(s, interviews, bucket, model, transcriber, translators, flags.transcodeFlags, panels.Client(reached), svc.messages, log)
	if mails.On() { // else they wait for a server that can send them
		svc.runners = append(svc.runners, mailQueue(mails, svc.signIn, log))
	}
	for _, runner := range svc.runners {
		runner.Hold = svc.clock.Refused
	}
	svc.asking = &asking.Service{Store: s, Interviews: interviews}
	reports := &reporting.Service{Store: s, Now: time.Now}
	if model != nil {
		reports.Themer = reporting.ModelThemer{Chat: model}
		svc.asking.Chat = model
	}
	authors := &authoring.Service{Store: s, Price: price, Speech: guide.Services{Transcribes: provider != nil, Speaks: reader.Speaker != nil}}
	objectLinks := &objects.Service{Store: bucket, Links: links}
	resultsService := &results.Service{Store: s, Links: links, Keys: keys.Ring}
	cookie, works := dashboard.CookieFor(base, flags.InsecureCookie)
	switch {
	case !works:
		log.Warn("nobody can sign in to the dashboard at this address: browsers drop its cookie without TLS; use https, or --insecure-cookie", "base_url", base)
	case flags.InsecureCookie && !cookie.Safe():
		log.Warn("sessions of the dashboard can be read on the network: --insecure-cookie is set, and the address is not https", "base_url", base)
	}
	parts, err := flags.instance(s, bucket, blobs, mails)
	if err != nil {
		return nil, err
	}
	protocol := &participant.API{
		Fieldwork: svc.fieldwork, Uploads: svc.uploads, Transcription: transcriber, Speech: reader, Log: log, BaseURL: base,
		Slots: &participant.Slots{All: uploadSlots(connections), Each: flags.MaxNetworkUploads},
	}
	svc.server = &server.Server{
		Access: svc.access,
		V1:     &v1.API{Authoring: authors, Results: resultsService, Billing: svc.billing, Erasure: svc.erasure, Asking: svc.asking, Reporting: reports, BaseURL: base},
		Legacy: &legacy.API{Authoring: authors, Results: resultsService, BaseURL: base},
		Dashboard: &dashboard.API{
			SignIn: svc.signIn, Access: svc.access, Review: &review.Service{Store: s, Results: resultsService, Erasure: svc.erasure, Interviews: interviews, TranslateAnswers: translators.Model != nil},
			Reports: reports, Asking: svc.asking, Exports: svc.exports, Authoring: authors, Media: svc.media, Translator: translators, Webhooks: svc.webhooks,
			AuditLog: &auditlog.Service{Store: s}, Billing: svc.billing, Instance: parts, Retention: svc.retention,
			Fieldwork: svc.fieldwork, Panels: &panels.Service{Store: s},
			App: web.Dashboard, BaseURL: base, Cookie: cookie, Log: log, Processors: svc.fieldwork.Processors,
		},
		Participant:    &pages.API{Protocol: protocol, Objects: objectLinks, App: web.Participant},
		Media:          &media.API{Objects: objectLinks, Log: log},
		Keys:           &access.Limiter{PerSecond: flags.RateLimit},
		Addresses:      &access.Limiter{PerSecond: flags.RateLimit},
		TrustedProxies: proxies,

		MaxConnections:        connections,
		MaxNetworkConnections: flags.MaxNetworkConnections,
		Bodies:                &httpx.Budget{Bytes: int64(flags.BodyMemory) << 20},

		Ready:     func(ctx context.Context) error { return maintenance.CheckReady(ctx, s) },
		Objects:   watch.Err,
		Contracts: map[string][]byte{"v1.yaml": openapi.V1, "legacy.yaml": openapi.Legacy, "participant.yaml": openapi.Participant, "dashboard.yaml": openapi.Dashboard},
		Docs:      web.Dist,
		Log:       log,
	}
	return svc, nil
}

// printSetUp prints the link by which the first admin sets up the dashboard, as long as no admin can sign in. It is not logged: logs are kept.
func (svc *service) printSetUp(ctx context.Context, to *terminal) error {
	link, err := svc.signIn.SetUpLink(ctx)
	switch {
	case errors.Is(err, signin.ErrSetUp):
		return nil
	case errors.Is(err, outage.ErrDiskFull), errors.Is(err, outage.ErrUnreachable), errors.Is(err, outage.ErrBusy):
		svc.log.Warn("no link for setting up the dashboard could be made: verbatim user setup-link makes one", "error", err)
		return nil
	case err != nil:
		return err
	}
	to.printf("Set up the first admin of the dashboard (works once, for 24 hours): %s\n", link.Address)
	return nil
}

// baseURLSetting is the name of the setting with the public address of the server that was started last, for commands that print links.
const baseURLSetting = "base_url"

// storeBaseURL stores the public address for commands that print links.
func (svc *service) storeBaseURL(ctx context.Context) {
	was, err := svc.store.View().Setting(ctx, baseURLSetting)
	if err == nil && was != svc.baseURL {
		err = svc.store.Write(ctx, func(tx *store.Tx) error {
			was, err := tx.Setting(ctx, baseURLSetting)
			if err != nil {
				return err
			}
			return tx.ChangeSetting(ctx, baseURLSetting, was, svc.baseURL)
		})
	}
	if err != nil && ctx.Err() == nil {
		svc.log.Warn("commands that print links do not know the public address: add --base-url to them", "error", err)
	}
}

// checkBlobFolder tries to write to the folder of the objects, before anything is served.
func (svc *service) checkBlobFolder(ctx context.Context) error {
	folder, local := svc.blobs.Store.(*blob.Folder)
	if !local {
		return nil
	}
	if err := folder.TryWrite(ctx); err != nil {
		return fmt.Errorf("no recordings and uploads can be stored: %w", err)
	}
	return nil
}

// run serves requests and runs jobs until ctx ends. Then current requests are answered, and current jobs are finished or returned to
// their queue.
func (svc *service) run(ctx context.Context, listener net.Listener) error {
	svc.clock.Compare(ctx) // before this node's first heartbeat and first job
	svc.replayTombstonesAtStart(ctx)
	heartbeat, err := svc.joinNodes(ctx, listener.Addr())
	if err == nil {
		err = maintenance.WarnConnections(ctx, svc.store, svc.log)
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	svc.storeBaseURL(ctx)
	ctx, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	background.Go(func() { heartbeat(ctx) })
	background.Go(func() { reportToSystemd(ctx, listener.Addr(), svc.log) })
	for _, runner := range svc.runners {
		background.Go(func() {
			if err := runner.Run(ctx); err != nil {
				svc.log.Error("jobs stopped", "error", err)
			}
		})
	}
	background.Go(func() { // in the background: the server need not wait for ffmpeg to start
		tool, err := findFFmpeg(ctx)
		switch {
		case err == nil:
			logConfinement(svc.log, tool.Confinement)
		case ctx.Err() == nil:
			svc.log.Warn("recordings will be served as browsers made them", "error", err)
		}
	})
	background.Go(func() { svc.runMaintenance(ctx) })
	background.Go(func() {
		svc.asking.Run(ctx, func(err error) { svc.log.Error("indexing answers for questions of the data", "error", err) })
	})
	background.Go(func() { svc.clock.Run(ctx) })
	background.Go(func() { svc.objects.Run(ctx) })
	background.Go(func() { svc.keys.Run(ctx, svc.log) })
	background.Go(func() {
		svc.fieldwork.Poll(ctx, func(err error) { svc.log.Error("following interviews on other nodes", "error", err) })
	})
	err = svc.server.Run(ctx, listener)
	stop()
	background.Wait()
	svc.signIn.Wait()
	return err
}

// runMaintenance calls maintain every minute until ctx ends.
func (svc *service) runMaintenance(ctx context.Context) {
	minute := time.NewTicker(time.Minute)
	defer minute.Stop()
	for {
		svc.maintain(ctx)
		select {
		case <-ctx.Done():
			svc.saveKeyUses(ctx)
			return
		case <-minute.C:
		}
	}
}

// maintain does one round of maintenance.
func (svc *service) maintain(ctx context.Context) {
	if svc.clock.Compare(ctx) {
		svc.sweep(ctx)
	}
	svc.completeTombstones(ctx)
	if err := svc.access.SaveKeyUses(ctx); err != nil && ctx.Err() == nil {
		svc.log.Error("storing when keys were last used", "error", err)
	}
}

// sweep ends abandoned interviews and removes expired uploads, exports, idempotency keys and records of starts.
func (svc *service) sweep(ctx context.Context) {
	if _, err := svc.fieldwork.Sweep(ctx); err != nil && ctx.Err() == nil {
		svc.log.Error("sweeping abandoned interviews", "error", err)
	}
	if _, err := svc.uploads.Sweep(ctx); err != nil && ctx.Err() == nil {
		svc.log.Error("sweeping uploads", "error", err)
	}
	if err := svc.exports.Sweep(ctx); err != nil && ctx.Err() == nil {
		svc.log.Error("removing expired exports", "error", err)
	}
	if err := svc.webhooks.Sweep(ctx); err != nil && ctx.Err() == nil {
		svc.log.Error("removing old messages of webhooks", "error", err)
	}
	if _, err := svc.media.Sweep(ctx); err != nil && ctx.Err() == nil {
		svc.log.Error("removing files that no guide uses", "error", err)
	}
	if err := svc.signIn.Sweep(ctx); err != nil && ctx.Err() == nil {
		svc.log.Error("removing expired sessions and one-time links", "error", err)
	}
	if err := svc.signIn.Mail.Sweep(ctx); err != nil && ctx.Err() == nil {
		svc.log.Error("removing old mails", "error", err)
	}
	if _, err := svc.erasure.PurgeTrash(ctx); err != nil && ctx.Err() == nil {
		svc.log.Error("deleting studies whose time in the trash is over", "error", err)
	}
	if err := svc.retention.Sweep(ctx); err != nil && ctx.Err() == nil {
		svc.log.Error("deleting what the retention rules say", "error", err)
	}
	if err := maintenance.RemoveExpiredKeys(ctx, svc.store); err != nil && ctx.Err() == nil {
		svc.log.Error("removing expired idempotency keys", "error", err)
	}
}

// saveKeyUses stores at the end which keys were used since the last round of maintenance.
func (svc *service) saveKeyUses(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if err := svc.access.SaveKeyUses(ctx); err != nil {
		svc.log.Warn("the last uses of keys were not stored", "error", err)
	}
}

func parseBaseURL(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", usageError(fmt.Sprintf("--base-url %q must be an absolute http or https address", s))
	}
	return strings.TrimRight(s, "/"), nil
}

func parseNetworks(all []string) (networks []netip.Prefix, err error) {
	for _, s := range all {
		network, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, usageError(fmt.Sprintf("--trusted-proxies: %q is not a network such as 10.0.0.0/8", s))
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// quiet returns a log for commands that print their own results: warnings and errors only.
func quiet(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
