import { useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { t } from '../words';
import { type Parameter, withParameters } from './link';
import { QrCode } from './qr';
import { te } from './words';

interface Props {
  link: string;
  /** The name of files that are made of it. */
  name: string;
  /** Those that conditions of the guide ask for. */
  parameters: readonly string[];
  /** Whether the link takes participants. */
  open: boolean;
}

/** The link for participants, to copy, to print, and with parameters. */
export function LinkTools({ link, name, parameters, open }: Props) {
  const [rows, setRows] = useState<Parameter[]>(parameters.map((parameter) => ({ name: parameter, value: '', test: '' })));
  const change = (at: number, more: Partial<Parameter>) => setRows(rows.map((row, i) => (i === at ? { ...row, ...more } : row)));
  const full = withParameters(link, rows);
  const test = withParameters(link, rows, true);
  return (
    <section class="card link-tools" aria-labelledby="link">
      <h2 id="link">{te('linkTitle')}</h2>
      {!open && <p class="wrong"><Icon name="warning" /> {te('linkClosed')}</p>}
      <CopyField label={te('linkTitle')} value={full} />
      <div class="link-parts">
        <div>
          <h3>{te('parameters')}</h3>
          <p class="soft small">{te('parametersText')}</p>
          {rows.length > 0 && (
            <div class="scroll">
              <table class="parameters">
                <caption class="unseen">{te('parameters')}</caption>
                <thead><tr><th scope="col">{t('name')}</th><th scope="col">{te('value')}</th><th scope="col">{te('testValue')}</th><th><span class="unseen">{t('actions')}</span></th></tr></thead>
                <tbody>
                  {rows.map((row, i) => (
                    <tr key={i}>
                      {(['name', 'value', 'test'] as const).map((field) => (
                        <td key={field}><input type="text" class="mono" aria-label={te(`parameter_${field}`, { n: i + 1 })} value={row[field]} maxLength={2000} autocomplete="off" placeholder={field === 'value' ? '{{id}}' : field === 'test' ? '1' : 'source'}
                          onInput={(event) => change(i, { [field]: event.currentTarget.value })} /></td>
                      ))}
                      <td><button type="button" class="quiet square" aria-label={te('removeParameter', { n: i + 1 })} onClick={() => setRows(rows.filter((_, at) => at !== i))}><Icon name="cross" /></button></td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <p class="row"><button type="button" onClick={() => setRows([...rows, { name: '', value: '', test: '' }])}><Icon name="plus" />{te('addParameter')}</button></p>
          <p class="small">{te('testLink')} <a class="mono" href={test} target="_blank" rel="noreferrer">{test}</a></p>
          <p class="soft small">{te('testText')}</p>
        </div>
        <QrCode link={full} name={name} />
      </div>
    </section>
  );
}

/** A text with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(value);
    } catch {
      field.current?.select(); // without TLS there is no clipboard: the keyboard copies
    }
  };
  return (
    <>
      <div class="copy">
        <input ref={field} class="mono" type="text" readOnly value={value} aria-label={label} onFocus={(event) => event.currentTarget.select()} />
        <button type="button" class="primary" onClick={() => void copy()}>{t('copy')}</button>
      </div>
      <p role="status" class="good small">{copied === value ? t('copied') : ''}</p>
    </>
  );
}
