import { systemsConfig } from '../../jest.systems.mjs';

export default systemsConfig({ fullRuns: ['tests/approvals-model.test.ts', 'tests/hostile-tool-servers.test.ts'] });
