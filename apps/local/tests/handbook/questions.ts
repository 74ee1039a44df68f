/** A question about the handbook, the file with the answer, and words that a good answer contains. */
export interface Question {
  readonly question: string;
  readonly file: string;
  readonly answer: string;
}

/** Questions that an employee would ask, in their own words. */
export const QUESTIONS: readonly Question[] = [
  { question: 'How many days of paid holiday do I get per year?', file: 'time-off.md', answer: '27 days' },
  { question: "From which day of sickness do I need a doctor's note?", file: 'time-off.md', answer: 'fourth day' },
  {
    question: 'How many paid days can I take after the death of a close relative?',
    file: 'time-off.md',
    answer: 'six paid days',
  },
  { question: 'How long is the leave of the parent who gives birth?', file: 'parental-leave.md', answer: '22 weeks' },
  { question: 'How much may a hotel in Zurich cost?', file: 'travel.md', answer: '180 euros' },
  { question: 'When are flights approved?', file: 'travel.md', answer: 'seven hours' },
  { question: 'What is the daily allowance for meals on a business trip?', file: 'travel.md', answer: '42 euros' },
  { question: 'By which day of the month do I submit receipts?', file: 'expenses.md', answer: '20th' },
  { question: 'Who approves expenses above 2,000 euros?', file: 'expenses.md', answer: 'finance director' },
  { question: 'How many days a week can I work from home?', file: 'remote-work.md', answer: 'three days' },
  { question: 'How much does the company pay for a desk and a chair?', file: 'remote-work.md', answer: '600 euros' },
  { question: 'How long is the probation period?', file: 'onboarding.md', answer: 'five months' },
  { question: 'When are salaries paid?', file: 'salary.md', answer: '25th' },
  { question: 'Which survey are the salary ranges compared with?', file: 'salary.md', answer: 'Brannock' },
  {
    question: 'How much does the company pay into the pension fund?',
    file: 'pension-and-insurance.md',
    answer: '5.5 percent',
  },
  {
    question: 'How much dental treatment does the health plan cover?',
    file: 'pension-and-insurance.md',
    answer: '900 euros',
  },
  { question: 'How large is the learning budget?', file: 'learning.md', answer: '1,400 euros' },
  { question: 'How fast must I report a stolen laptop?', file: 'devices.md', answer: 'two hours' },
  { question: 'Where are shared passwords kept?', file: 'passwords.md', answer: 'Keyring' },
  { question: 'How often does the incident lead write an update?', file: 'incidents.md', answer: 'half hour' },
  { question: 'How much does a week on call pay?', file: 'on-call.md', answer: '310 euros' },
  { question: 'How long is the warranty on the frame?', file: 'warranty.md', answer: 'ten years' },
  { question: 'How much weight can the Drover carry?', file: 'models.html', answer: '180 kilograms' },
  { question: 'Who supplies the motors?', file: 'suppliers.csv', answer: 'Elbtrieb' },
  { question: 'At what temperature does powder coating cure?', file: 'paint-shop.md', answer: '190 degrees' },
  { question: 'Where do I put a swollen battery?', file: 'battery-storage.md', answer: 'sand box' },
  { question: 'On which days do lorries leave Ghent?', file: 'deliveries.md', answer: 'Tuesdays and Thursdays' },
  { question: 'Who hosts the Workshop Hour?', file: 'meetings.md', answer: 'managing director' },
  { question: 'Does teaching as a side job need approval?', file: 'side-jobs.md', answer: 'no approval' },
  { question: 'How much severance do I get for each year of service?', file: 'leaving.md', answer: 'three weeks' },
  { question: 'What colour is the badge of visitors?', file: 'visitors.txt', answer: 'orange' },
  { question: 'What is Lathe?', file: 'tools.md', answer: 'catalogue of parts' },
  { question: 'Which batch of brake levers is recalled?', file: 'support-mail.eml', answer: 'R-2207' },
];

/** Questions that the handbook does not answer: some close to its subjects, some far from them. */
export const UNANSWERABLE: readonly string[] = [
  'How do I bake a sourdough bread?',
  'What is the boiling point of nitrogen?',
  'Which gym membership does the company reimburse?',
  'What is the Wi-Fi password of the Antwerp office?',
  'Who won the football world cup in 1998?',
  'How do I renew my passport?',
];
