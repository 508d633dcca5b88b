// A guide with every type of block, item and criterion, as the generated types have it.
import type { components } from './generated/v1.js';

export type Guide = components['schemas']['StudyGuide'];
export type Item = components['schemas']['Item'];

const items: Item[] = [
  { type: 'statement', text: 'Please think of the last three months.', continueButtonText: 'I am ready' },
  {
    type: 'multiple_choice', externalId: 'services', text: 'Which of these have you used?', multiSelect: true, minSelect: 1, maxSelect: 2,
    allowCustomOption: true, randomizeOptionOrder: true, pinnedFinalOption: true,
    options: [{ externalId: 'kit', text: 'A meal kit' }, { externalId: 'groceries', text: 'Groceries' }, { text: 'None', exclusiveOption: true }],
  },
  { type: 'ranking', externalId: 'ranked', text: 'Rank them.', options: [{ text: 'Price' }, { text: 'Taste' }, { text: 'Time' }] },
  {
    type: 'open_ended', externalId: 'why', text: 'Why did you choose it?', followUp: 'light', addInstructions: null, preferredInput: 'text',
    conditional: {
      operator: 'or',
      criteria: [
        { type: 'selectedTemplateOptions', questionId: 'services', matchingCriteria: 'mustSelect', choices: ['kit'] },
        { type: 'searchParam', parameter: 'source', value: 'clients' },
      ],
    },
    media: [{ name: 'A kit', url: 'https://media.example.com/kit.png', type: 'image' }],
  },
  {
    type: 'matrix', externalId: 'rating', text: 'How would you rate it?', options: [{ text: 'Poor' }, { text: 'Good' }],
    rows: [{ text: 'Price' }, { text: 'Taste' }],
  },
  {
    type: 'max_diff', externalId: 'benefits', text: 'What matters most to you, and what least?', metric: 'importance', itemsPerScreen: 3,
    options: [{ text: 'Price' }, { text: 'Recipes' }, { text: 'Boxes' }, { text: 'Days' }],
  },
];

export const guide: Guide = {
  title: 'Meal kits, by a generated client',
  externalTitle: 'Cooking at home',
  config: { interviewMode: 'text', questionLanguage: 'en', targetPlatforms: ['ios', 'android', 'desktop'] },
  welcomeMessage: { title: 'Thank you', message: 'This takes a minute.' },
  closingMessage: 'That was all.',
  studyGuide: [
    {
      type: 'screening', title: 'About you', conceptSamplingConfig: null,
      items: [{
        type: 'multiple_choice', externalId: 'cook', text: 'Who cooks?',
        options: [{ externalId: 'me', text: 'I do', status: 'approve' }, { text: 'Someone else', status: 'reject' }],
      }],
    },
    { type: 'flat', title: 'Your last months', items },
    {
      type: 'concept', title: 'Ways to pause',
      conceptSamplingConfig: {
        subsampleCount: 1,
        concepts: [
          { nickname: 'A', externalId: 'snooze', content: { title: 'Snooze', embed: { url: 'https://prototype.example.com/' } } },
          { nickname: 'B', content: { title: 'Holiday', description: 'Choose your dates.' } },
        ],
      },
      items: [{ type: 'open_ended', text: 'What do you think of it?', followUp: 'none' }],
    },
  ],
};

export const participantsSource = 'clients';
