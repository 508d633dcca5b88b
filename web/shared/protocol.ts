// The participant's protocol: names for the types that are generated from openapi/participant.yaml, and what follows from them.
import type { components, operations } from './participant_api';

type Schemas = components['schemas'];

export type Step = Schemas['Step'];
export type Question = Schemas['Question'];
/** What a participant takes along at the end. */
export type Exit = Schemas['Exit'];
export type Option = NonNullable<Question['options']>[number];
export type Media = Schemas['Media'];
/** What is recorded of an answer, and whether speaking or typing is offered first. */
export type Capture = Schemas['Capture'];
export type RecordingKind = keyof Capture['maxBytes'];
export type Transcript = Schemas['Transcript'];
/** The content of the page before an interview. */
export type Invitation = Schemas['Invitation'];

/** What a participant reads and agrees to, where the study sets it. */
export type Consent = Schemas['Consent'];

/** The body of an answer, without its stepId. */
export type Answer = Omit<Schemas['Answer'], 'stepId'>;
/** How an answer was entered. */
export type Telemetry = NonNullable<Answer['telemetry']>;

/** A step with the answer that was given to it, in words. */
export type AnsweredStep = Schemas['AnsweredStep'];
/** The body of a reply that has the current step. */
export type Standing = Schemas['Standing'];
/** The body of the reply to an answer. */
export type Taken = Schemas['Taken'];
/** The body of the reply to a start. */
export type Started = operations['beginInterview']['responses'][201]['content']['application/json'];

/** What the page reads of an error in an answer. */
export type Issue = Pick<Schemas['Issue'], 'path' | 'code'> & Partial<Pick<Schemas['Issue'], 'expected'>>;
export type ErrorCode = Schemas['ErrorCode'];
/** The body of any error. It has a step where the answer was to another one. */
export type ErrorBody = Schemas['Error'] & Partial<Standing>;

/** Reports whether the interview has ended. */
export const ended = (step: Step): boolean => step.kind === 'complete' || step.kind === 'screened_out';

/** Returns the question type whose widget a step shows. A follow-up is always open ended. */
export function widgetOf(step: Step): Question['type'] {
  return step.kind === 'follow_up' || !step.question ? 'open_ended' : step.question.type;
}
