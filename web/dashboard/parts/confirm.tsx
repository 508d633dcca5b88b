import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog';
import { Form } from './form';

interface Props {
  title: string;
  submit: string;
  children: ComponentChildren;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, submit, children, onConfirm, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form submit={submit} danger onSubmit={async () => { await onConfirm(); onClose(); }}>{children}</Form>
    </Dialog>
  );
}
