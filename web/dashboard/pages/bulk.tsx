import { useId, useState } from 'preact/hooks';
import { api, ask, failureOf, type Schemas } from '../api';
import { Dialog } from '../parts/dialog';
import { Form } from '../parts/form';
import { reason } from '../parts/loaded';
import { notify } from '../state/notices';
import { count, t } from '../words';

type Receipts = { number: number; responseId: string; deletionId: string; requestedAt: string }[];

const setHidden = (link: string, numbers: number[], hidden: boolean): Promise<{ changed: number[] }> =>
  ask(api.POST('/api/dashboard/studies/{studyRef}/visibility', { params: { path: { studyRef: link } }, body: { numbers, hidden } }));

/** Hides responses or shows them again, and offers to undo it. */
export async function hide(link: string, numbers: number[], hidden: boolean, onChanged: () => Promise<void>): Promise<void> {
  try {
    const { changed } = await setHidden(link, numbers, hidden);
    await onChanged();
    const undo = async () => {
      await setHidden(link, changed, !hidden);
      await onChanged();
    };
    notify(count(hidden ? 'hiddenNow' : 'shownNow', changed.length), changed.length > 0 ? undo : undefined);
  } catch (error) {
    notify(`${t('couldNot', { what: t('hiding') })} ${reason(failureOf(error))}`);
  }
}

interface Props {
  link: string;
  numbers: number[];
  onClose: () => void;
  onDeleted: () => Promise<void>;
}

/** Asks how many responses are to be deleted, deletes them, and shows the receipts. */
export function Deletion({ link, numbers, onClose, onDeleted }: Props) {
  const [receipts, setReceipts] = useState<Receipts | null>(null);
  const [typed, setTyped] = useState('');
  const id = useId();
  const remove = async () => {
    const done = await ask(api.POST('/api/dashboard/studies/{studyRef}/deletions', {
      params: { path: { studyRef: link } }, body: { numbers, count: Number(typed) } satisfies { numbers: Schemas['Numbers']; count: number },
    }));
    setReceipts(done.receipts);
  };
  const close = () => {
    onClose();
    if (receipts) void onDeleted();
  };
  if (receipts) {
    return (
      <Dialog title={count('deletedNow', receipts.length)} onClose={close}>
        <p>{t('receiptsText')}</p>
        <div class="scroll receipts">
          <table>
            <thead><tr><th scope="col">#</th><th scope="col">{t('receipt')}</th></tr></thead>
            <tbody>{receipts.map((receipt) => <tr key={receipt.number}><td class="number">{receipt.number}</td><td><code>{receipt.deletionId}</code></td></tr>)}</tbody>
          </table>
        </div>
        <p class="row"><button type="button" class="primary" onClick={close}>{t('done')}</button></p>
      </Dialog>
    );
  }
  return (
    <Dialog title={count('deleteTitle', numbers.length)} onClose={close}>
      <p>{t('deleteText')}</p>
      <Form submit={count('deleteDo', numbers.length)} danger onSubmit={remove}>
        <div class="field">
          <label for={id}>{count('deleteCount', numbers.length)}</label>
          <input id={id} inputMode="numeric" autocomplete="off" required pattern={String(numbers.length)} title={String(numbers.length)} value={typed} onInput={(event) => setTyped(event.currentTarget.value.trim())} />
        </div>
      </Form>
    </Dialog>
  );
}
