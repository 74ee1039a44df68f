/** A question about the handbook, the file that answers it, and words that a good answer holds. */
export interface Question {
  readonly question: string;
  readonly file: string;
  readonly answer: string;
}

/** What somebody at the company would ask, in the words they would use; the answers were read in the files. */
export const QUESTIONS: readonly Question[] = [
  { question: 'Who provides dental insurance in the US?', file: 'benefits-and-perks.md', answer: 'MetLife' },
  { question: 'How much life insurance do employees get?', file: 'benefits-and-perks.md', answer: '$400,000' },
  { question: 'How much of the medical premium does the company pay?', file: 'benefits-and-perks.md', answer: '75%' },
  { question: 'What is the 401k match?', file: 'benefits-and-perks.md', answer: '6% of your salary' },
  { question: 'How many vacation days do I get per year?', file: 'benefits-and-perks.md', answer: '20 days' },
  { question: 'How long is the paid sabbatical?', file: 'benefits-and-perks.md', answer: '6-week' },
  { question: 'When are summer hours?', file: 'benefits-and-perks.md', answer: 'May 1' },
  {
    question: 'How many weeks of leave does a primary caregiver of a new child get?',
    file: 'benefits-and-perks.md',
    answer: '16 weeks',
  },
  { question: 'How many days of bereavement leave can I take?', file: 'benefits-and-perks.md', answer: 'ten days' },
  { question: 'Who can I buy pet insurance from at a discount?', file: 'benefits-and-perks.md', answer: 'Figo' },
  {
    question: 'How much can I expense for coworking space each month?',
    file: 'benefits-and-perks.md',
    answer: '$200/month',
  },
  {
    question: 'How much can I spend on a desk and chair for my home office?',
    file: 'benefits-and-perks.md',
    answer: '$3,000',
  },
  {
    question: 'Which platform do we use to categorize expenses and upload receipts?',
    file: 'benefits-and-perks.md',
    answer: 'Airbase',
  },
  { question: 'What happens on my first day?', file: 'getting-started.md', answer: 'onboarding' },
  { question: 'Who is my 37signals buddy?', file: 'getting-started.md', answer: 'not on your immediate team' },
  { question: 'How long are the work cycles?', file: 'how-we-work.md', answer: '6-week cycles' },
  { question: 'What happens during cooldown?', file: 'how-we-work.md', answer: 'bugs' },
  { question: 'When are heartbeats due?', file: 'how-we-work.md', answer: 'first Friday' },
  { question: 'How many hours is the work week in the summer?', file: 'how-we-work.md', answer: '32-hour' },
  {
    question: 'May we debate politics on our internal communication systems?',
    file: 'how-we-work.md',
    answer: 'political debates',
  },
  { question: 'What is the salary floor?', file: 'making-a-career.md', answer: '$73,500' },
  {
    question: 'When are performance reviews held in the first year?',
    file: 'making-a-career.md',
    answer: '12-month',
  },
  { question: 'Who provides the compensation comparison data?', file: 'making-a-career.md', answer: 'Radford' },
  {
    question: 'Can the company remotely wipe a lost laptop?',
    file: 'managing-work-devices.md',
    answer: 'remotely wipe',
  },
  {
    question: 'May I store company code on my Android phone?',
    file: 'managing-work-devices.md',
    answer: 'not okay to store',
  },
  { question: 'Is it OK to take a side gig for a friend?', file: 'moonlighting.md', answer: 'side gig' },
  {
    question: 'Can I serve as an advisor or on the board of another company?',
    file: 'moonlighting.md',
    answer: 'conflict of interest',
  },
  { question: 'What is Queenbee?', file: 'our-internal-systems.md', answer: 'identity system' },
  { question: 'Where do we track programming exceptions?', file: 'our-internal-systems.md', answer: 'Sentry' },
  { question: 'What do we use Grafana for?', file: 'our-internal-systems.md', answer: 'monitor our systems' },
  { question: 'How often does the whole company meet in person?', file: 'our-rituals.md', answer: 'twice a year' },
  { question: 'Who runs the All Hands meeting?', file: 'our-rituals.md', answer: 'COO' },
  { question: 'What is Everyone on Support?', file: 'our-rituals.md', answer: 'Customer Support shifts' },
  {
    question: 'How much severance do I get if I have been here for less than a year?',
    file: 'severance.md',
    answer: '4 weeks pay',
  },
  {
    question: 'Am I eligible for severance when I am terminated for cause?',
    file: 'severance.md',
    answer: 'will not be eligible',
  },
  {
    question: 'How many weeks of paid family leave for bonding are there in Colorado?',
    file: 'stateFMLA.md',
    answer: 'up to 16 weeks',
  },
  {
    question: 'Does California paid family leave give job protection?',
    file: 'stateFMLA.md',
    answer: 'does not provide job protection',
  },
  {
    question: 'What does temporary disability insurance in New Jersey cover?',
    file: 'stateFMLA.md',
    answer: 'up to 26 weeks',
  },
  { question: 'What is expected of a Lead QA Tester?', file: 'titles-for-QA.md', answer: 'QA' },
  { question: 'What is expected of a Principal Designer?', file: 'titles-for-designers.md', answer: 'design' },
  {
    question: 'What are tech leads of programming teams responsible for?',
    file: 'titles-for-programmers.md',
    answer: 'PRs',
  },
  { question: 'Whom do Principal Programmers report to?', file: 'titles-for-programmers.md', answer: 'CTO' },
  {
    question: 'What is expected of a Junior Customer Support Rep?',
    file: 'titles-for-support.md',
    answer: 'product knowledge',
  },
  { question: 'What is expected of a Junior SRE?', file: 'titles-for-ops.md', answer: 'help' },
];

/** What the handbook says nothing about, near its subjects and far from them. */
export const UNANSWERABLE: readonly string[] = [
  'How do I bake a sourdough bread?',
  'What is the boiling point of nitrogen?',
  'Which gym membership does the company reimburse?',
  'What is the Wi-Fi password of the Chicago office?',
  'Who won the football world cup in 1998?',
  'How do I renew my passport?',
];
