import { useState } from 'preact/hooks';
import { fill } from '../shared/words';
import type { Bootstrap } from './bootstrap';
import { OrganizationLogo } from './organization_logo';
import { earlierInterview } from './session';

const names = { desktop: 'deviceDesktop', android: 'deviceAndroid', ios: 'deviceIos' };

/** Reports whether the study is not for this device. A Mac with a touch screen is an iPad. */
export function isUnsupportedDevice({ view, device }: Bootstrap): boolean {
  if (view === 'devices') return true;
  if (view !== 'front' || !device?.unsure || device.allowed.length === 0) return false;
  return !device.allowed.includes(navigator.maxTouchPoints > 1 ? 'ios' : 'desktop');
}

/** The devices that the study can be taken on, and the link to open there. */
export function UnsupportedDevice({ bootstrap }: { bootstrap: Bootstrap }) {
  const { words, tags, device } = bootstrap;
  const [copied, setCopied] = useState(false);
  const link = device?.link ?? location.href;
  const screen = bootstrap.front?.interviewMode.endsWith('_screen');
  const share = () => navigator.share({ title: bootstrap.title, url: link }).catch(() => undefined); // the participant may have changed their mind
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      // the link is shown and can be copied by hand
    }
  };
  return (
    <main class="sheet quiet">
      <OrganizationLogo organization={bootstrap.organization} />
      <p class="overline" lang={tags.content} dir="auto">{bootstrap.title}</p>
      <h1>{words[screen ? 'screenDeviceTitle' : 'devicesTitle']}</h1>
      <div class="lead">
        <p>{words[screen ? 'screenDeviceText' : 'devicesText']}</p>
        <ul>{device?.allowed.map((name) => <li key={name}>{fill(words, names[name])}</li>)}</ul>
        <p>{words.devicesLink}</p>
      </div>
      <p class="address" dir="ltr">{link}</p>
      <div class="go">
        <button type="button" onClick={() => void copy()}>{words.copy}</button>
        {'share' in navigator && <button type="button" class="second" onClick={() => void share()}>{words.share}</button>}
        <span role="status" class="note">{copied && words.copied}</span>
      </div>
      {earlierInterview.value && (
        <section class="resume" aria-labelledby="resume">
          <h2 id="resume">{words.resumeTitle}</h2>
          <p>{words.resumeText}</p>
          <a class="button" href={`/i/${earlierInterview.value}`}>{words.resume}</a>
        </section>
      )}
    </main>
  );
}
