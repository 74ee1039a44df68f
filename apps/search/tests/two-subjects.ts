/**
 * Words that occur in the same texts; `mortgage` and `loan` never occur together, but with the same
 * words.
 */
const BANK = [
  'interest',
  'lender',
  'deposit',
  'installment',
  'credit',
  'borrower',
  'repayment',
  'account',
  'bank',
  'rate',
];
const FARM = ['wheat', 'tractor', 'harvest', 'barn', 'cattle', 'field', 'plow', 'fodder', 'meadow', 'stable'];
/** The documents that are enough to learn a space. */
export const DOCUMENTS = 60;

/** Returns the text of a document: of banks if `at` is even, else of farms. */
export const contentOf = (at: number) => {
  const words = at % 2 === 0 ? BANK : FARM;
  const shared = Array.from({ length: 6 }, (_, i) => words[(at + i) % words.length]);
  const own = at % 2 === 0 ? ['mortgage', 'loan'][(at / 2) % 2] : ['farmer', 'shepherd'][((at - 1) / 2) % 2];
  return `${own} ${shared.join(' ')} ${own}`;
};
