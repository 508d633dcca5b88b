import { useEffect, useRef, useState } from 'preact/hooks';
import type { UploadedFile } from './draft';
import { mainField } from './draft';
import { fileErrorKey } from './rules';
import type { WidgetProps } from './widget';
import { headingId } from './widget';
import { fill } from './words';

interface Props extends WidgetProps {
  /** The path where uploads are created. */
  address: string;
  stepId: string;
  /** Called with the number of files being sent. The answer has to wait for them. */
  onSending(files: number): void;
}

interface Sending {
  key: number;
  file: File;
  percent: number;
  /** The key of the message why it did not arrive; empty while it is being sent. */
  failed: string;
  abort: AbortController;
}

/** A file input whose files are sent as soon as they are chosen. The code that sends them is loaded with the first file. */
export function FileUpload({ draft, change, words, describedBy, address, stepId, onSending }: Props) {
  const [sending, setSending] = useState<Sending[]>([]);
  const keys = useRef(0);
  const done = useRef<UploadedFile[]>(draft.files ?? []);
  done.current = draft.files ?? [];

  const keep = (files: UploadedFile[]) => { // done changes at once: another file may arrive before the next render
    done.current = files;
    change({ files });
  };
  const inFlight = sending.filter((g) => !g.failed).length;
  useEffect(() => onSending(inFlight), [inFlight, onSending]);

  const update = (key: number, part: Partial<Sending>) => setSending((all) => all.map((g) => (g.key === key ? { ...g, ...part } : g)));
  const removeSending = (key: number) => setSending((all) => all.filter((g) => g.key !== key));

  const send = async (g: Sending) => {
    update(g.key, { failed: '', percent: 0 });
    try {
      const { upload } = await import('./tus');
      const id = await upload(address, g.file, { kind: 'file', stepId, filename: g.file.name, filetype: g.file.type }, (fraction) =>
        update(g.key, { percent: Math.floor(fraction * 100) }), g.abort.signal);
      removeSending(g.key);
      keep([...done.current, { id, name: g.file.name }]);
    } catch (e) {
      if (g.abort.signal.aborted) return;
      update(g.key, { failed: fileErrorKey(e instanceof Error && 'code' in e ? String(e.code) : '') ?? 'fileFailed' });
    }
  };
  const choose = (files: FileList | null) => {
    const fresh = [...(files ?? [])].map((file) => ({ key: ++keys.current, file, percent: 0, failed: '', abort: new AbortController() }));
    setSending((all) => [...all, ...fresh]);
    for (const g of fresh) void send(g);
  };

  const remove = (file: UploadedFile) => {
    keep(done.current.filter((f) => f.id !== file.id));
    void import('./tus').then(({ terminate }) => terminate(address, file.id));
  };

  return (
    <div class="files">
      <label class="choose">
        <input
          id={mainField}
          type="file"
          multiple
          aria-labelledby={`${headingId} choose`}
          aria-describedby={describedBy}
          onChange={(e) => {
            choose(e.currentTarget.files);
            e.currentTarget.value = '';
          }}
        />
        <span id="choose">{words.fileChoose}</span>
      </label>
      <ul>
        {draft.files?.map((file) => (
          <li key={file.id} class="done">
            <span dir="auto">{file.name}</span>
            <button type="button" class="quiet-button" aria-label={fill(words, 'fileRemove', { text: file.name })}
              onClick={() => remove(file)}>×</button>
          </li>
        ))}
        {sending.map((g) => (
          <li key={g.key} class={g.failed ? 'failed' : undefined}>
            {g.failed
              ? <span role="alert">{fill(words, g.failed, { text: g.file.name })}</span>
              : <><span dir="auto">{g.file.name}</span><progress value={g.percent} max={100} aria-label={g.file.name} /></>}
            {g.failed === 'fileFailed' && <button type="button" class="quiet-button" onClick={() => void send(g)}>{words.tryNow}</button>}
            <button type="button" class="quiet-button" aria-label={fill(words, 'fileRemove', { text: g.file.name })}
              onClick={() => { g.abort.abort(); removeSending(g.key); }}>×</button>
          </li>
        ))}
      </ul>
      <p class="unseen" role="status">{draft.files?.length ? fill(words, 'fileDone', { n: draft.files.length }) : ''}</p>
    </div>
  );
}
