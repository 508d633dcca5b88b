import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { number } from '../format';
import { Field, Form } from '../parts/form';
import { Icon } from '../parts/icon';
import { quoteAddress } from '../quote';
import { count, known, t } from './words';

type Answer = Schemas['AskAnswer'];

/** A question of the answers. What comes back cites the words that prove it. */
export function Ask({ link }: { link: string }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const send = async ({ question = '' }: Record<string, string>) => {
    setAnswer(await ask(api.POST('/api/dashboard/studies/{studyRef}/ask', { params: { path: { studyRef: link } }, body: { question } })));
  };
  return (
    <section class="card question asking" id="s-ask" aria-label={t('ask')}>
      <header><h2>{t('ask')}</h2></header>
      <Form submit={t('askIt')} inline onSubmit={send}><Field label={t('question')} name="question" maxLength={500} hint={t('askHint')} /></Form>
      <div role="status">{answer && <Answered answer={answer} link={link} />}</div>
    </section>
  );
}

function Answered({ answer, link }: { answer: Answer; link: string }) {
  return (
    <>
      {answer.reason && <p>{known(`ask_${answer.reason}`)}</p>}
      {answer.sentences.map((sentence) => (
        <div key={sentence.text} class="answer-sentence">
          <p dir="auto">{sentence.text} <span class="soft small">{count('fromResponses', sentence.responses)}</span></p>
          <ul class="quotes">{sentence.quotes.map((quote) => <Cited key={`${quote.number} ${quote.text}`} quote={quote} link={link} />)}</ul>
        </div>
      ))}
      {answer.status !== 'answered' && <ul class="quotes">{answer.passages.map((passage) => <Cited key={`${passage.number} ${passage.row}`} quote={passage} link={link} asked={passage.question} />)}</ul>}
      <p class="soft small">{t('searched', { n: number(answer.searchedResponses), all: number(answer.responses) })}</p>
    </>
  );
}

function Cited({ quote, link, asked }: { quote: Schemas['AskQuote']; link: string; asked?: string }) {
  return (
    <li>
      {asked && <span class="soft small asked-after" dir="auto">{asked}</span>}
      <q dir="auto">{quote.text}</q>{' '}
      <a class="source" href={quoteAddress(link, quote.number, quote.row, quote.text)} aria-label={t('playQuote', { n: number(quote.number) })}><Icon name="play" />#{quote.number}</a>
    </li>
  );
}
