import { systemsConfig } from '../../jest.systems.mjs';

export default systemsConfig({
  fullRuns: ['tests/group-imports.test.ts'],
});
