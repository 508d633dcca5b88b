// A guide that uses every type of item, for tests.
const option = (id, text, more) => ({ text, externalId: id, ...more });

export const coffee = () => ({
  title: 'Coffee',
  studyGoal: 'Mornings',
  config: { interviewMode: 'text', verbatim: { model: { sendScreening: true } } },
  welcomeMessage: { title: 'Hello' },
  studyGuide: [
    {
      type: 'screening', title: 'Who', externalId: 'who', items: [
        { type: 'multiple_choice', text: 'How often?', externalId: 'often', options: [option('daily', 'Daily', { status: 'approve' }), option('never', 'Never', { status: 'reject' })] },
      ],
    },
    {
      type: 'flat', title: 'Habits', externalId: 'habits', items: [
        { type: 'statement', text: 'Think of yesterday.', externalId: 'intro', continueButtonText: 'Go on' },
        { type: 'open_ended', text: 'Tell us.', externalId: 'story', followUp: 'heavy', addInstructions: 'Small things' },
        { type: 'multiple_choice', text: 'Where?', externalId: 'where', multiSelect: true, allowCustomOption: true, options: [option('home', 'At home'), option('work', 'At work'), option('none', 'Nowhere', { exclusiveOption: true })] },
        { type: 'ranking', text: 'Order them.', externalId: 'order', carryForwardFrom: 'where' },
        { type: 'matrix', text: 'How good?', externalId: 'good', options: [option('bad', 'Bad'), option('fine', 'Fine')], rows: [{ text: 'Taste' }, { text: 'Price' }] },
        { type: 'max_diff', text: 'What matters?', externalId: 'matters', metric: 'importance', itemsPerScreen: 3, options: ['a', 'b', 'c', 'd'].map((id) => option(id, id.toUpperCase())) },
        { type: 'file_upload', text: 'Show us.', externalId: 'photo', conditional: { operator: 'and', criteria: [{ type: 'selectedTemplateOptions', questionId: 'where', matchingCriteria: 'mustSelect', choices: ['home'] }] } },
      ],
    },
    {
      type: 'concept', title: 'Ideas', externalId: 'ideas', conceptSamplingConfig: {
        concepts: [{ nickname: 'One', externalId: 'one', content: { title: 'A tin', media: [{ name: 'Tin', url: 'https://example.org/tin.png', type: 'image' }] } }, { nickname: 'Two', externalId: 'two', content: { title: 'A box' } }],
        subsampleCount: 1,
      },
      items: [{ type: 'open_ended', text: 'What is it?', externalId: 'what' }],
    },
  ],
});

/** Returns a copy of the guide that edit has changed. */
export function edited(guide, edit) {
  const copy = structuredClone(guide);
  edit(copy);
  return copy;
}
