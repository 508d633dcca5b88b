// The studies that the tests launch.

export const picture = 'https://media.example.test/tin.svg';
export const prototype = 'https://prototypes.example.test/tin';

const options = (...texts) => texts.map((text) => ({ text }));
const flat = (...items) => ({ type: 'flat', title: 'Coffee', items });

// Every item type that create accepts, with every option of a question.
export const everything = {
  title: 'Coffee at home, wave 1',
  externalTitle: 'Your coffee at home',
  config: { interviewMode: 'text', questionLanguage: 'en', availableLanguages: ['en', 'de', 'ar'] },
  welcomeMessage: { title: 'Thank you for joining us', message: 'We would like to hear about your mornings.\nIt takes about ten minutes.' },
  closingMessage: 'That was all. We wish you a good cup tomorrow.',
  studyGuide: [
    {
      type: 'screening', title: 'Who we talk to', items: [{
        type: 'multiple_choice', text: 'How often do you make coffee at home?',
        options: [{ text: 'Every day', status: 'approve' }, { text: 'Now and then', status: 'neutral' }, { text: 'Never', status: 'reject' }],
      }],
    },
    flat(
      { type: 'statement', text: 'First we talk about your mornings.', continueButtonText: 'Let us begin' },
      { type: 'open_ended', text: 'Tell us about your last cup of coffee.', followUp: 'light' },
      { type: 'multiple_choice', text: 'Where did you drink it?', options: options('In the kitchen', 'At my desk', 'On the way') },
      {
        type: 'multiple_choice', text: 'What do you own?', externalId: 'own', multiSelect: true, minSelect: 2, maxSelect: 3, allowCustomOption: true,
        options: [...options('A grinder', 'A kettle', 'A machine'), { text: 'Nothing of these', exclusiveOption: true }],
      },
      { type: 'multiple_choice', text: 'Which of these do you use daily?', carryForwardFrom: 'own', multiSelect: true },
      { type: 'multiple_choice', text: 'Who taught you?', options: options('A friend', 'A shop'), allowCustomOption: true },
      { type: 'ranking', text: 'What matters most to you?', options: options('Taste', 'Price', 'Speed', 'Warmth'), randomizeOptionOrder: true },
      {
        type: 'matrix', text: 'How content are you?', options: options('Not at all', 'Somewhat', 'Very'),
        rows: [{ text: 'With the taste' }, { text: 'With the effort' }, { text: 'With the price' }],
      },
      {
        type: 'max_diff', text: 'Which would you miss most, and which least?', metric: 'How much you would miss it', itemsPerScreen: 3,
        options: options('The smell', 'The ritual', 'The pause', 'The talk', 'The cup'),
      },
    ),
    {
      type: 'concept', title: 'Ideas',
      conceptSamplingConfig: {
        concepts: [
          { nickname: 'tin', content: { title: 'The tin', description: 'A tin that tells how old the beans are.', media: [{ name: 'A round tin', url: picture, type: 'image', widthPercentage: 60 }] } },
          { nickname: 'timer', content: { title: 'The timer', description: 'An app that has the water hot in time.', embed: { url: prototype } } },
        ],
      },
      items: [
        { type: 'open_ended', text: 'What goes through your mind?', followUp: 'none' },
        { type: 'multiple_choice', text: 'Would you use it?', options: options('Certainly', 'Perhaps', 'No') },
      ],
    },
    flat({ type: 'open_ended', text: 'Is there anything else?', followUp: 'none' }),
  ],
};

// A short interview with the maximum number of follow-ups.
export const short = {
  title: 'Mornings',
  studyGuide: [flat(
    { type: 'open_ended', text: 'How was your morning?', followUp: 'heavy' },
    { type: 'multiple_choice', text: 'Was it a good one?', options: options('Yes', 'No') },
    { type: 'open_ended', text: 'And how will the evening be?', followUp: 'none' },
  )],
};

// A study that is prepared for answers in distress.
export const sensitive = {
  ...short, title: 'The year behind you',
  config: { availableLanguages: ['en', 'de'], verbatim: { sensitiveTopics: { message: 'You are not alone with this.\nThe helpline 116 123 listens, day and night.' } } },
};

// A study in a right-to-left language.
export const arabic = {
  title: 'قهوتك في البيت',
  config: { questionLanguage: 'ar', availableLanguages: ['ar'] },
  studyGuide: [flat({
    type: 'multiple_choice', text: 'أين شربت قهوتك اليوم؟', allowCustomOption: true,
    options: options('في المطبخ', 'في المكتب', 'في الطريق'),
  })],
};

// A study with a video that has to be watched.
export const film = {
  title: 'The new pot',
  studyGuide: [flat({
    type: 'open_ended', text: 'Please watch this short film. What did you notice first?', followUp: 'none',
    media: [{ name: 'The pot on a stove', url: 'https://media.example.test/film.webm', type: 'video', forceWatching: true }],
  })],
};

// A study without a letter in its texts, which are the same in every language.
export const numbers = { title: '2026', studyGuide: [flat({ type: 'multiple_choice', text: '1 + 1 = ?', options: options('2', '3') })] };

// A study for one kind of phone.
export const restricted = { ...film, title: 'The app at home', config: { targetPlatforms: ['ios'] } };

// Texts that do not fit on a narrow screen without breaking.
export const long = {
  title: 'Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselanhänger',
  studyGuide: [flat(
    {
      type: 'multiple_choice', text: 'Which of these do you know from Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch?', multiSelect: true, allowCustomOption: true,
      options: options(
        'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
        'One that is described in so many words that nobody would read them to the end, but that stands here because somebody has written it, and has to be read',
        'https://example.test/a/very/long/address/without/any/place/to/break/it/anywhere',
      ),
    },
    {
      type: 'matrix', text: 'How much do you agree?',
      options: options('Not at all, under no circumstances', 'Not', 'Hardly', 'Neither nor', 'Somewhat', 'Yes', 'Wholeheartedly and unconditionally'),
      rows: [{ text: 'It is inconspicuous' }, { text: 'It has been Geschwindigkeitsbeschränkungsüberschreitungsverdächtig' }],
    },
  )],
};

export const breakfast = 'What did you have for breakfast?';

// spoken returns a study with a question that is answered by voice, camera or screen.
export const spoken = (interviewMode) => ({
  title: 'Breakfast', config: { interviewMode },
  studyGuide: [{ type: 'flat', title: 'Breakfast', items: [
    { type: 'open_ended', text: breakfast, followUp: 'none' },
    { type: 'multiple_choice', text: 'Was it good?', options: [{ text: 'Yes' }, { text: 'No' }] },
  ] }],
});
