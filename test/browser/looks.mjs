// What phones and laptops show of a study with a concept, a matrix, a long list and a ranking.
const options = (...texts) => texts.map((text) => ({ text }));

export const prototypeOrigin = 'https://prototypes.example.test';
export const clicker = `${prototypeOrigin}/clicker`;

const countries = 'Albania Andorra Austria Belgium Bulgaria Croatia Cyprus Czechia Denmark Estonia Finland France Georgia Germany Greece Hungary Iceland Ireland Italy Kosovo Latvia Liechtenstein Lithuania Luxembourg Malta Moldova Monaco Montenegro Netherlands Norway Poland Portugal Romania Serbia Slovakia Slovenia Spain Sweden Switzerland Türkiye Ukraine'.split(' ');

export const looks = {
  title: 'Kitchen of tomorrow',
  welcomeMessage: { title: 'Welcome', message: 'We ask about **your kitchen**.\nRead our [privacy notice](https://example.com/privacy) *before* you begin.' },
  closingMessage: 'Thank you. More in [our journal](https://example.com/journal).',
  studyGuide: [
    {
      type: 'concept', title: 'Ideas',
      conceptSamplingConfig: { concepts: [{ nickname: 'timer', content: { title: 'The timer', description: 'An app that has the water hot in time.', embed: { url: clicker } } }] },
      items: [
        { type: 'open_ended', text: 'What goes through your mind when you see this?', followUp: 'none' },
        { type: 'multiple_choice', text: 'Would you use it at home?', options: options('Certainly', 'Perhaps', 'No') },
      ],
    },
    {
      type: 'flat', title: 'Rest', items: [
        {
          type: 'matrix', text: 'How much do you agree with each of these?', options: options('Strongly disagree', 'Disagree', 'Neither agree nor disagree', 'Agree', 'Strongly agree'),
          rows: options('I enjoy cooking for guests', 'I plan meals ahead', 'I like trying unfamiliar ingredients', 'I cook because I have to'),
        },
        { type: 'multiple_choice', text: 'Which of these countries have you eaten in?', multiSelect: true, allowCustomOption: true, options: [...options(...countries), { text: 'None of these', exclusiveOption: true }] },
        { type: 'ranking', text: 'What matters most in a kitchen?', options: options('Light', 'Space', 'Quiet') },
        { type: 'max_diff', text: 'Which would you miss most, and which least?', metric: 'How much you would miss it', itemsPerScreen: 3, options: options('The oven', 'The kettle', 'The fridge') },
        { type: 'open_ended', text: 'What is in this picture?', followUp: 'none', media: [{ name: 'A round tin', url: 'https://media.example.test/gone.png', type: 'image' }] },
      ],
    },
  ],
};

/** A prototype that counts clicks, so that a test sees whether it was loaded again. */
export const clickerPage = `<!doctype html><html lang="en"><title>The timer</title><meta name="viewport" content="width=device-width">
<body style="font:16px sans-serif;background:#fff;color:#111"><h1>The timer</h1><button style="font:inherit;padding:1rem" onclick="this.textContent='Pressed '+(this.n=(this.n||0)+1)">Press me</button><div style="height:60rem;background:linear-gradient(#eef,#fee)"></div></body></html>`;
