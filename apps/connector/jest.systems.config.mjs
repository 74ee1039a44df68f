import { systemsConfig } from '../../jest.systems.mjs';

export default systemsConfig({
  fullRuns: ['tests/cancelled-counts.test.ts', 'tests/pushed-items-model.test.ts', 'tests/unreadable-items.test.ts'],
});
