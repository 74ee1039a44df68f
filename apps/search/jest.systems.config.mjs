import { systemsConfig } from '../../jest.systems.mjs';

export default systemsConfig({
  fullRuns: ['tests/brute-force.test.ts', 'tests/no-leaks.test.ts'],
});
