// The conversation above the current question: what was said in this visit, and what the server knows of it.
import type { Draft } from '../shared/draft';
import { answerLanguages, answerLines } from '../shared/draft';
import type { AnsweredStep, Step } from '../shared/protocol';
import type { Bootstrap } from './bootstrap';
import type { Turn } from './browser_storage';

/** Returns the turn of a step and its draft. */
export const turnOf = (at: Step, from: Draft, { words, tags }: Bootstrap): Turn => ({
  ...(at.stepId ? { stepId: at.stepId } : {}),
  asked: at.moderator ?? '',
  said: answerLines(at, from, words),
  ...(at.concept?.title ? { about: at.concept.title } : {}),
  tags: { asked: at.kind === 'follow_up' ? tags.moderator : tags.content, said: answerLanguages(at, from, tags) },
});

/** Returns the turn of a step that was answered on this page or another one. */
export function answeredTurn(at: AnsweredStep, { words, tags }: Bootstrap): Turn {
  const own = at.type === 'open_ended' ? tags.moderator : tags.content;
  const spoken = at.recorded && at.said.length === 0;
  return {
    stepId: at.stepId,
    asked: at.moderator,
    said: spoken ? [words.spoken ?? ''] : at.said,
    tags: { asked: at.kind === 'follow_up' ? tags.moderator : tags.content, said: spoken ? [tags.page] : at.said.map(() => own) },
  };
}

/** Adds those of the answered steps that are not among the turns yet. Turns that older pages stored are recognised by their question. */
export function withAnswered(turns: Turn[], steps: AnsweredStep[], bootstrap: Bootstrap): Turn[] {
  const known = (at: AnsweredStep) => turns.some((turn) => (turn.stepId ? turn.stepId === at.stepId : turn.asked === at.moderator));
  const missing = steps.filter((at) => !known(at));
  return missing.length > 0 ? [...turns, ...missing.map((at) => answeredTurn(at, bootstrap))] : turns;
}

/** Reports whether a text is the answer in one of the turns. */
export const isSaid = (text: string, turns: Turn[]): boolean => turns.some(({ said }) => said.join('\n').trim() === text);

/** Returns what the participant has written in a draft; "" when it has no words of their own. */
export const writtenIn = (draft: Draft): string => draft.text?.trim() || ((draft.customOn && draft.custom?.trim()) || '');
