import { useEffect, useRef, useState } from 'preact/hooks';
import type { Sent } from './draft';
import { mainField } from './draft';
import type { WidgetProps } from './widget';
import { headingId } from './widget';
import { fill } from './words';

interface Props extends WidgetProps {
  /** Where uploads are made. */
  address: string;
  stepId: string;
  /** Told how many files are on their way: the answer is to wait for them. */
  onWay(files: number): void;
}

interface Going {
  key: number;
  file: File;
  percent: number;
  /** The phrase that says why it did not arrive; empty while it is on its way. */
  failed: string;
  stop: AbortController;
}

let keys = 0;

/** The phrases of the server's reasons to refuse a file. */
const refusals: Record<string, string> = {
  payload_too_large: 'fileTooLarge', unsupported_media_type: 'fileType', upload_quota_exceeded: 'errFileQuota', insufficient_storage: 'errFileQuota',
};

/** Files, each sent as soon as it is chosen. What sends them is loaded with the first one. */
export function FileUpload({ draft, change, words, describedBy, address, stepId, onWay }: Props) {
  const [going, setGoing] = useState<Going[]>([]);
  const done = useRef<Sent[]>(draft.files ?? []);
  done.current = draft.files ?? [];

  const keep = (files: Sent[]) => { // at once: another file may arrive before the next picture is drawn
    done.current = files;
    change({ files });
  };
  const moving = going.filter((g) => !g.failed).length;
  useEffect(() => onWay(moving), [moving]);

  const update = (key: number, part: Partial<Going>) => setGoing((all) => all.map((g) => (g.key === key ? { ...g, ...part } : g)));
  const leave = (key: number) => setGoing((all) => all.filter((g) => g.key !== key));

  const send = async (g: Going) => {
    update(g.key, { failed: '', percent: 0 });
    try {
      const { upload } = await import('./tus');
      const id = await upload(address, g.file, { kind: 'file', stepId, filename: g.file.name, filetype: g.file.type }, (part) =>
        update(g.key, { percent: Math.floor(part * 100) }), g.stop.signal);
      leave(g.key);
      keep([...done.current, { id, name: g.file.name }]);
    } catch (e) {
      if (g.stop.signal.aborted) return;
      update(g.key, { failed: refusals[e instanceof Error && 'code' in e ? String(e.code) : ''] ?? 'fileFailed' });
    }
  };
  const choose = (files: FileList | null) => {
    const fresh = [...(files ?? [])].map((file) => ({ key: ++keys, file, percent: 0, failed: '', stop: new AbortController() }));
    setGoing((all) => [...all, ...fresh]);
    for (const g of fresh) void send(g);
  };

  const remove = (file: Sent) => {
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
        {going.map((g) => (
          <li key={g.key} class={g.failed ? 'failed' : undefined}>
            {g.failed
              ? <span role="alert">{fill(words, g.failed, { text: g.file.name })}</span>
              : <><span dir="auto">{g.file.name}</span><progress value={g.percent} max={100} aria-label={g.file.name} /></>}
            {g.failed === 'fileFailed' && <button type="button" class="quiet-button" onClick={() => void send(g)}>{words.tryNow}</button>}
            <button type="button" class="quiet-button" aria-label={fill(words, 'fileRemove', { text: g.file.name })}
              onClick={() => { g.stop.abort(); leave(g.key); }}>×</button>
          </li>
        ))}
      </ul>
      <p class="unseen" role="status">{draft.files?.length ? fill(words, 'fileDone', { n: draft.files.length }) : ''}</p>
    </div>
  );
}
