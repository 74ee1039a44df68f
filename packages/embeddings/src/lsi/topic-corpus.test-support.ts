/**
 * Three subjects. Each has words that all its texts share, and words of which each text contains
 * one.
 */
const SUBJECTS = [
  {
    shared: ['hospital', 'recovery', 'medicine', 'ward', 'clinic'],
    either: ['doctor', 'nurse', 'surgeon', 'midwife', 'pharmacist', 'therapist'],
  },
  {
    shared: ['road', 'wheel', 'driver', 'petrol', 'garage'],
    either: ['engine', 'brake', 'clutch', 'bumper', 'gearbox', 'windscreen'],
  },
  {
    shared: ['kitchen', 'oven', 'recipe', 'flour', 'butter'],
    either: ['bread', 'cake', 'biscuit', 'pastry', 'pudding', 'waffle'],
  },
] as const;

/** Returns the subject of text `at`, 0 to 2. */
export function subjectOf(at: number): number {
  return at % SUBJECTS.length;
}

/** Returns short texts of alternating subjects. */
export function topicPassages(amount: number): string[] {
  return Array.from({ length: amount }, (_, at) => {
    const { shared, either } = SUBJECTS[subjectOf(at)] ?? SUBJECTS[0];
    const words = shared.filter((_word, place) => place !== at % 5);
    return [...words, ...words, either[Math.floor(at / 3) % 6]].join(' ');
  });
}
