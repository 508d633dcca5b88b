import type { Schemas } from '../api';
import { knownEvent, tw } from '../webhook_words';
import { Dialog } from './dialog';
import { Field, Form } from './form';

type Event = Schemas['WebhookEvent'];

export interface WebhookInput {
  url: string;
  description: string;
  events: Event[];
  studies: string[];
  parameters: boolean;
  answers: boolean;
}

interface Props {
  title: string;
  submit: string;
  events: readonly Event[];
  webhook?: Schemas['Webhook'];
  onSubmit: (input: WebhookInput) => Promise<unknown>;
  onClose: () => void;
}

/** Asks what a webhook is told. */
export function WebhookForm({ title, submit, events, webhook, onSubmit, onClose }: Props) {
  const send = (values: Record<string, string>) => onSubmit({
    url: (values.url ?? '').trim(),
    description: values.description ?? '',
    events: events.filter((event) => values[`event ${event}`] !== undefined),
    studies: (values.studies ?? '').split(/[\s,]+/).filter(Boolean),
    parameters: values.parameters !== undefined,
    answers: values.answers !== undefined,
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form submit={submit} onSubmit={send}>
        <Field label={tw('address')} name="url" hint={tw('addressHint')} value={webhook?.url ?? ''} maxLength={2000} autofocus />
        <Field label={tw('description')} name="description" value={webhook?.description ?? ''} maxLength={200} required={false} />
        <fieldset class="events" aria-describedby="events-hint">
          <legend>{tw('events')}</legend>
          <p id="events-hint" class="soft small">{tw('eventsHint')}</p>
          {events.map((event) => <Check key={event} name={`event ${event}`} label={eventName(event)} checked={webhook?.events.includes(event) ?? false} />)}
        </fieldset>
        <Field label={tw('studies')} name="studies" hint={tw('studiesHint')} value={webhook?.studies.join(', ') ?? ''} required={false} />
        <div>
          <Check name="parameters" label={tw('parameters')} checked={webhook?.parameters ?? true} />
          <Check name="answers" label={tw('answers')} checked={webhook?.answers ?? false} />
          <p class="soft small">{tw('answersHint')}</p>
        </div>
      </Form>
    </Dialog>
  );
}

function Check({ name, label, checked }: { name: string; label: string; checked: boolean }) {
  return <label class="check"><input type="checkbox" name={name} defaultChecked={checked} />{label}</label>;
}

/** Returns an event in words. */
export const eventName = (event: string): string => knownEvent(`event_${event}`) ?? event;
