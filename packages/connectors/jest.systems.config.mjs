import { systemsConfig } from '../../jest.systems.mjs';

export default systemsConfig({
  fullRuns: ['tests/**/*.conformance.test.ts'],
});
