import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { ConfirmPerson } from './parts/confirm_person';
import { Heading } from './parts/heading';
import { Shell } from './parts/shell';
import { t } from './words';

const own = /^\/(?:o|p|me|instance|signin|setup|invite|reset)(?:[/?#]|$)/;

const SignIn = lazy(() => import('./pages/sign_in').then((page) => page.SignIn));
const SetUp = lazy(() => import('./pages/tokens').then((page) => page.SetUp));
const Invitation = lazy(() => import('./pages/tokens').then((page) => page.Invitation));
const Reset = lazy(() => import('./pages/tokens').then((page) => page.Reset));
const Studies = lazy(() => import('./pages/studies').then((page) => page.Studies));
const Responses = lazy(() => import('./pages/responses').then((page) => page.Responses));
const Editor = lazy(() => import('./pages/editor').then((page) => page.Editor));
const Translations = lazy(() => import('./pages/translations').then((page) => page.Translations));
const Trash = lazy(() => import('./pages/trash').then((page) => page.Trash));
const Launch = lazy(() => import('./pages/launch').then((page) => page.Launch));
const Review = lazy(() => import('./pages/review').then((page) => page.Review));
const Quotes = lazy(() => import('./pages/quotes').then((page) => page.Quotes));
const Analysis = lazy(() => import('./pages/analysis').then((page) => page.Analysis));
const Export = lazy(() => import('./pages/export').then((page) => page.Export));
const People = lazy(() => import('./pages/people').then((page) => page.People));
const Keys = lazy(() => import('./pages/keys').then((page) => page.Keys));
const Webhooks = lazy(() => import('./pages/webhooks').then((page) => page.Webhooks));
const Webhook = lazy(() => import('./pages/webhook').then((page) => page.Webhook));
const Retention = lazy(() => import('./pages/retention').then((page) => page.Retention));
const Instance = lazy(() => import('./pages/instance').then((page) => page.Instance));
const Wallets = lazy(() => import('./pages/wallets').then((page) => page.Wallets));
const Audit = lazy(() => import('./pages/audit').then((page) => page.Audit));
const Account = lazy(() => import('./pages/account').then((page) => page.Account));

/** All pages. Links to others, for example to a participant's page, leave the app. */
export function App() {
  return <LocationProvider scope={own}><ErrorBoundary><Pages /><ConfirmPerson /></ErrorBoundary></LocationProvider>;
}

function Pages() {
  const { path } = useLocation();
  if (['/signin', '/setup', '/invite', '/reset'].includes(path)) {
    return (
      <Router>
        <Route path="/signin" component={SignIn} />
        <Route path="/setup" component={SetUp} />
        <Route path="/invite" component={Invitation} />
        <Route path="/reset" component={Reset} />
      </Router>
    );
  }
  return (
    <Shell>
      <Router>
        <Route path="/o/:org/studies" component={Studies} />
        <Route path="/o/:org/trash" component={Trash} />
        <Route path="/o/:org/people" component={People} />
        <Route path="/o/:org/keys" component={Keys} />
        <Route path="/o/:org/webhooks" component={Webhooks} />
        <Route path="/o/:org/webhooks/:webhook" component={Webhook} />
        <Route path="/o/:org/retention" component={Retention} />
        <Route path="/o/:org/wallets" component={Wallets} />
        <Route path="/o/:org/audit" component={Audit} />
        <Route path="/o/:org" component={ToStudies} />
        <Route path="/p/:link" component={Responses} />
        <Route path="/p/:link/edit" component={Editor} />
        <Route path="/p/:link/edit/translations" component={Translations} />
        <Route path="/p/:link/launch" component={Launch} />
        <Route path="/p/:link/responses" component={Responses} />
        <Route path="/p/:link/responses/:number" component={Review} />
        <Route path="/p/:link/quotes" component={Quotes} />
        <Route path="/p/:link/analysis" component={Analysis} />
        <Route path="/p/:link/export" component={Export} />
        <Route path="/instance" component={Instance} />
        <Route path="/me" component={Account} />
        <Route default component={NotFound} />
      </Router>
    </Shell>
  );
}

function ToStudies({ org }: { org?: string }) {
  const { route } = useLocation();
  useEffect(() => route(`/o/${org}/studies`, true), [org, route]);
  return null;
}

function NotFound() {
  return <div class="empty"><Heading title={t('notFoundTitle')} /><p>{t('notFoundText')}</p></div>;
}
