/** Questions of the starters with their answers. `demo/quiz` can answer only these. */

export type QuestionKind = 'team' | 'answer' | 'severity';

export interface Question {
  kind: QuestionKind;
  text: string;
  answer: string;
}

const tickets: Record<string, readonly string[]> = {
  billing: [
    'I was charged twice for order 20418, please return one payment.',
    'My invoice shows the old VAT number.',
    'Can I pay in three parts?',
    'Refund promised on 3 June, nothing so far.',
    'I paid for two years and only one shows.',
    'Gift card says that it has been used.',
    'The price at checkout was not the price on the page.',
    'Please send a receipt with the name of my company.',
    'My bank says that your payment was declined by you.',
    'The discount code took nothing off.',
    'You billed me in dollars and not in euros.',
    'I cancelled in April and still pay every month.',
  ],
  delivery: [
    'Tracking has said “at depot” since Monday.',
    'Courier says delivered, nothing is here.',
    'Parcel was opened and the charger is missing.',
    'Driver left the box in the rain, contents soaked.',
    'I moved; send order 20771 to Leeds instead.',
    'Can it come on Saturday rather than Friday?',
    'Half of my order came, where is the rest?',
    'The parcel went to my neighbour, who is away.',
    'Customs keep the box and ask for papers.',
    'Nobody rang, and the card says that I was out.',
    'The wrong speaker was in the box.',
    'How long does it take to reach Iceland?',
  ],
  account: [
    'The reset link opens a blank page.',
    'The sign-in code arrives an hour late.',
    'The app logs me out whenever I open an invoice.',
    'I cannot see orders from my old email.',
    'Please change my name after my wedding.',
    'Someone else’s address is in my profile.',
    'I cannot switch off two-step sign-in.',
    'My password is right, and yet it is refused.',
    'How do I close my profile for good?',
    'The newsletter comes although I left it.',
    'Two profiles have my address, please join them.',
    'The phone number for sign-in is an old one.',
  ],
  product: [
    'Left earbud stopped charging after two weeks.',
    'Speaker hums when it is plugged into the TV.',
    'Is the strap covered by the guarantee?',
    'Export to PDF cuts the last column.',
    'The headphones lose the connection in the kitchen.',
    'Does the case fit the older earbuds?',
    'The volume wheel turns and nothing happens.',
    'After the update the lamp stays red.',
    'Which cable does the small speaker need?',
    'The ear cushions came apart at the seam.',
    'It no longer finds my laptop.',
    'How do I clean the microphone?',
  ],
  legal: [
    'Delete every record that you hold about me.',
    'Your advert uses my photo without asking.',
    'Your supplier sent us goods with a forged CE mark.',
    'Your site keeps my old surname on every receipt, against my written objection.',
    'Send me a copy of all data that you store on me.',
    'Who is your officer for data protection?',
    'Your terms contradict the law on returns.',
    'My lawyer asks for the contract of 2024.',
    'A shop sells copies under your brand.',
    'I withdraw my consent to tracking.',
    'Your review quotes me, and I never said that.',
    'We claim damages for the fire on 2 March.',
  ],
};

const outages: Record<string, readonly string[]> = {
  critical: [
    'All tills in the north are down.',
    'Customers see each other’s order history.',
    'No payment has gone through since 09:12.',
    'The database is read-only and orders are lost.',
    'Private keys are in a public log.',
    'The whole site answers with 502.',
    'Sign-in is impossible for everyone.',
    'Every order is sent to the same address.',
    'Backups of three days are gone.',
    'Prices are zero in all shops.',
  ],
  high: [
    'Card payments fail for one customer in eight since 13:40.',
    'Refunds are booked with the wrong sign since 08:00.',
    'Checkout answers in 9 s at the median.',
    'Sign-in codes arrive after ten minutes, since Tuesday.',
    'Half of the push messages arrive twice.',
    'Stock of one warehouse has not moved for four hours.',
    'New accounts cannot be confirmed.',
    'The app crashes on start on one phone in ten.',
    'Search finds nothing for words with accents.',
    'Orders from Spain wait for an hour.',
  ],
  medium: [
    'Search shows yesterday’s prices until noon.',
    'A partner’s feed is a day late.',
    'The status page itself is not reachable.',
    'Reports of last week take an hour to open.',
    'Invoices come without the logo.',
    'The chat queue says 99 people to everyone.',
    'Photos of new goods load slowly.',
    'Newsletters went out four hours late.',
    'Filters forget the size on the way back.',
    'One of three support lines has no hold music and drops after 20 minutes.',
  ],
  low: [
    'A backup job failed once and passed on the second try.',
    'One warehouse printer is out of labels.',
    'The careers page has a broken picture.',
    'A word on the help page is misspelt.',
    'The footer still says 2025.',
    'A test server restarts every night.',
    'The colour of a button is a shade too light.',
    'An internal chart has two legends.',
    'The clock in the lobby is five minutes slow.',
    'A link in the press kit goes to the front page.',
  ],
};

function createQuestions(kind: QuestionKind, table: Readonly<Record<string, readonly string[]>>): Question[] {
  return Object.entries(table).flatMap(([answer, texts]) => texts.map((text) => ({ kind, text, answer })));
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const dayMs = 86_400_000;

function formatDate(day: number): string {
  const date = new Date(day * dayMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Questions with an integer answer: 40 sums and 20 about dates. */
const numberQuestions: Question[] = Array.from({ length: 60 }, (_, index): Question => {
  const [a, b] = [13 + ((index * 37) % 83), 11 + ((index * 53) % 79)];
  const createQuestion = (text: string, answer: number): Question => ({
    kind: 'answer',
    text,
    answer: String(answer),
  });
  if (index < 16) return createQuestion(`What is ${a} + ${b}?`, a + b);
  if (index < 28) return createQuestion(`What is ${a + b} − ${b}?`, a);
  if (index < 40) return createQuestion(`What is ${a} × ${3 + (index % 9)}?`, a * (3 + (index % 9)));
  const firstDay = 20_500 + index * 41;
  const days = 9 + ((index * 29) % 190);
  return createQuestion(
    `How many days are there from ${formatDate(firstDay)} to ${formatDate(firstDay + days)}?`,
    days,
  );
});

/** All questions: 60 tickets, 60 sums and dates, 40 outages. */
export const questions: readonly Question[] = [
  ...createQuestions('team', tickets),
  ...numberQuestions,
  ...createQuestions('severity', outages),
];

/** Labels of each kind; numbers have none. */
export const questionLabels: Readonly<Record<QuestionKind, readonly string[]>> = {
  team: Object.keys(tickets),
  answer: [],
  severity: Object.keys(outages),
};
